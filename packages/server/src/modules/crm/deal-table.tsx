import type { Deal } from '@service/contract'
import { Badge, type Tone } from '../../ui/components/badge.tsx'
import { Person } from '../../ui/components/person.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Day } from '../../ui/components/time.tsx'
import { money, words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** What deals are worth together; those without an amount count as nothing. */
export const worthOf = (deals: readonly Deal[]): number =>
  deals.reduce((sum, deal) => sum + Number(deal.amount ?? 0), 0)

export const isOpen = ({ stage }: Pick<Deal, 'stage'>): boolean => stage !== 'won' && stage !== 'lost'

const tones: Readonly<Record<string, Tone>> = { won: 'ok', lost: 'bad' }

export const Stage = ({ stage }: { readonly stage: string }) => (
  <Badge tone={tones[stage] ?? 'mute'}>{words(stage)}</Badge>
)

/** Deals as rows. */
export function DealTable({
  page,
  deals,
  caption,
  bleed = false,
}: {
  readonly page: WorkspacePage
  readonly deals: readonly Deal[]
  readonly caption: string
  readonly bleed?: boolean
}) {
  return (
    <Table
      bleed={bleed}
      caption={caption}
      columns={[
        { name: 'Deal', look: 'wide' },
        { name: 'Stage', look: 'wide-only' },
        { name: 'Owner', look: 'wide-only' },
        { name: 'Closes', look: 'right wide-only' },
        { name: 'Amount', look: 'right' },
      ]}
    >
      {deals.map((deal) => (
        <tr id={`deal-${deal.id}`}>
          <td class="wide">
            <div class="with-icon">
              <RowLink id={`open-deal-${deal.id}`} href={page.link(`/deals/${deal.id}`)} drawer>
                {deal.title}
              </RowLink>
              <bdi class="quiet clip wide-only">{deal.account?.name}</bdi>
            </div>
            <div class="second clip" dir="auto">
              {[words(deal.stage), deal.account?.name].filter(Boolean).join(' · ')}
            </div>
          </td>
          <td class="wide-only tight">
            <Stage stage={deal.stage} />
          </td>
          <td class="wide-only tight">
            <Person name={deal.owner?.name} empty="–" />
          </td>
          <td class="right meta wide-only tight">
            <Day on={deal.expected_close_at} />
          </td>
          <td class="right tight">{money(deal.amount, page.workspace.currency)}</td>
        </tr>
      ))}
    </Table>
  )
}
