import type { DryRun } from '@service/client/admin'
import { Card } from '../../ui/components/card.tsx'
import { Table } from '../../ui/components/table.tsx'
import { counted, words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import type { Names } from './rule-words.ts'

const shownTickets = 20

interface ResultProps {
  readonly page: WorkspacePage
  readonly tried: DryRun
  readonly people: Names['people']
}

/** What a rule would have done. */
export function DryRunResult({ page, tried, people }: ResultProps) {
  const { looked_at, matched, changed, tickets } = tried
  return (
    <section class="section" id="tried" tabindex={-1} autofocus>
      <h2>
        {changed === 0 && matched > 0 ? `Would have acted on ${matched}` : `Would have changed ${changed}`} of the last{' '}
        {counted(looked_at, 'ticket')}
      </h2>
      <p class="quiet">Nothing was changed by trying it.</p>
      {tickets.length > 0 && (
        <Card flush>
          <Table
            caption="Tickets that the rule applies to"
            columns={[
              { name: 'Ticket', look: 'tight' },
              { name: 'What would happen', look: 'wide' },
            ]}
          >
            {tickets.slice(0, shownTickets).map(({ id, ticket_number, title, changes, notes }) => (
              <tr>
                <td class="tight">
                  <a href={page.link(`/tickets/${id}`)} title={title}>
                    {ticket_number}
                  </a>
                </td>
                <td>
                  {[...Object.entries(changes).map((change) => toldChange(change, people)), ...notes].join(', ') || (
                    <span class="quiet">Nothing more: it is so already</span>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      {tickets.length > shownTickets && (
        <p class="meta">And {counted(tickets.length - shownTickets, 'ticket')} more.</p>
      )}
    </section>
  )
}

function toldChange([field, { from, to }]: [string, { from: unknown; to: unknown }], people: Names['people']): string {
  const shown = (value: unknown) => (field === 'assigned_to' ? (people.get(Number(value)) ?? value) : value)
  return `${words(field)}: ${told(shown(from))} → ${told(shown(to))}`
}

function told(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
