import { NoWorkload } from '@/components/workload/no-workload'

export default function NotFound() {
  return <NoWorkload />
}
