import type { GetServerSideProps } from 'next'
import { visit } from '../visit.ts'

type Visit = Awaited<ReturnType<typeof visit>>

export const getServerSideProps: GetServerSideProps<Visit> = async () => ({ props: await visit() })

export default function Page({ added, attempts }: Visit) {
  return <output data-added={added} data-attempts={attempts} />
}
