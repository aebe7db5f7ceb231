'use client'
import { Columns3 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem, MenuLabel, MenuLine, MenuToggle } from '@/components/ui/menu'
import { CHOICE_COLUMNS, COLUMNS, type ColumnId, toggleColumn, USUAL_COLUMNS } from './columns'

type Props = { columns: readonly ColumnId[]; onChange: (columns: ColumnId[]) => void }

/** Which columns the table has. The choice is part of the address, so a saved view keeps it. */
export function ColumnMenu({ columns, onChange }: Props) {
  return (
    <Menu
      trigger={
        <Button size="sm" className="max-md:hidden">
          <Columns3 className="size-3.5 shrink-0 text-ink-2" aria-hidden />
          Columns
        </Button>
      }
    >
      <MenuLabel>Columns</MenuLabel>
      {CHOICE_COLUMNS.map((id) => (
        <MenuToggle key={id} isOn={columns.includes(id)} onToggle={() => onChange(toggleColumn(columns, id))}>
          {COLUMNS[id].label}
        </MenuToggle>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => onChange([...USUAL_COLUMNS])}>The usual ones</MenuItem>
    </Menu>
  )
}
