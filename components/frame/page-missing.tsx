import { Compass } from 'lucide-react'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Link } from '@/components/ui/link'

/** There is no such page, or none that this person may know of. */
export function PageMissing() {
  return (
    <div className="flex min-h-[60dvh] items-center justify-center">
      <Empty
        isPage
        icon={Compass}
        title="There is nothing here"
        action={
          <Link href="/" className={buttonClass({ size: 'sm' })}>
            Go to Home
          </Link>
        }
      >
        The address is wrong, what it named was deleted, or it belongs to somebody who did not share it with you.
      </Empty>
    </div>
  )
}
