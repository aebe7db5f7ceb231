import { PageMissing } from '@/components/frame/page-missing'

export const metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main>
      <PageMissing />
    </main>
  )
}
