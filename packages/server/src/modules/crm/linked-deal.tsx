import type { WorkspacePage } from '../../ui/page-types.ts'

interface LinkedDealProps {
  readonly page: WorkspacePage
  readonly deal: { readonly id: number; readonly title: string }
}

export const LinkedDeal = ({ page, deal: { id, title } }: LinkedDealProps) => (
  <a dir="auto" href={page.link(`/deals/${id}`)}>
    {title}
  </a>
)
