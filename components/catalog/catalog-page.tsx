'use client'
import { useQuery } from '@tanstack/react-query'
import { LibraryBig } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { useOpenMachines } from '@/components/api/use-open-machines'
import { Empty } from '@/components/ui/empty'
import { PageHead } from '@/components/ui/page'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { Catalog } from '@/domain/catalog'
import { catalogText } from './catalog-words'
import { ClassCard } from './class-card'
import { RuntimeCard } from './runtime-card'
import { SizeCard } from './size-card'

/** What can be asked for: runtimes, sizes, GPU classes; and what the machines here say to each. */
export function CatalogPage() {
  const catalog = useQuery(useTRPC().catalog.get.queryOptions())
  const machines = useOpenMachines()
  return (
    <>
      <PageHead title="Catalog">{catalog.data ? catalogText(catalog.data) : ' '}</PageHead>
      {catalog.isError && !catalog.data ? (
        <Panel>
          <QueryFailed
            error={catalog.error}
            what="The catalog"
            onRetry={() => void catalog.refetch()}
            isRetrying={catalog.isFetching}
          />
        </Panel>
      ) : null}
      {catalog.isPending ? (
        <Panel>
          <SkeletonRows />
        </Panel>
      ) : null}
      {catalog.data ? <Sections catalog={catalog.data} {...machines} /> : null}
    </>
  )
}

function Sections({ catalog, open, closed }: { catalog: Catalog } & ReturnType<typeof useOpenMachines>) {
  return (
    <div className="flex flex-col gap-6">
      <Section title="Runtimes" detail="What runs, and whether it can run here" columns="lg:grid-cols-2">
        {catalog.runtimes.map((runtime) => (
          <RuntimeCard key={runtime.id} runtime={runtime} catalog={catalog} machines={open} closed={closed} />
        ))}
      </Section>
      <Section title="Sizes" detail="What is reserved without a GPU" columns="sm:grid-cols-2 lg:grid-cols-3">
        {catalog.sizes.map((size) => (
          <SizeCard key={size.id} size={size} machines={open} closed={closed} />
        ))}
      </Section>
      <Section
        title="GPU classes"
        detail="With what may stand in for each, in order, where fallbacks are allowed"
        columns="sm:grid-cols-2 lg:grid-cols-3"
      >
        {catalog.classes.map((gpuClass) => (
          <ClassCard key={gpuClass.id} gpuClass={gpuClass} catalog={catalog} machines={open} />
        ))}
        {catalog.classes.length === 0 ? (
          <li className="rounded-md border border-line bg-surface">
            <Empty icon={LibraryBig} title="No GPU class" className="py-6">
              A GPU can still be asked for without naming a class.
            </Empty>
          </li>
        ) : null}
      </Section>
    </div>
  )
}

type SectionProps = { title: string; detail: string; columns: string; children: ReactNode }

function Section({ title, detail, columns, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="mb-2.5 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="text-small text-ink-3">{detail}</p>
      </div>
      <ul className={`grid grid-cols-[minmax(0,1fr)] gap-3 ${columns}`}>{children}</ul>
    </section>
  )
}
