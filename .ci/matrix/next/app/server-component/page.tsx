import { visit } from '../../visit.ts'

export const dynamic = 'force-dynamic'

export default async function Page() {
  const { added, attempts } = await visit()
  return <output data-added={added} data-attempts={attempts} />
}
