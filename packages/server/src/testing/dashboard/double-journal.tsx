import { Badge } from '../../ui/components/badge.tsx'
import { ActionButton } from '../../ui/components/button.tsx'
import { Card } from '../../ui/components/card.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { Segments } from '../../ui/components/tabs.tsx'
import { count, counted, duration } from '../../ui/format.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { DoublePage } from './double-page.ts'

const mostShown = 50

const views = {
  all: { label: 'All', fits: () => true },
  unmatched: { label: 'Unmatched', fits: ({ operation }: JournalEntry) => operation === undefined },
  faulted: { label: 'Faulted', fits: ({ fault }: JournalEntry) => fault !== undefined },
} as const

type View = keyof typeof views

const viewOf = (page: DoublePage): View =>
  (Object.keys(views) as View[]).find((view) => view === page.query.text('show')) ?? 'all' // Object.keys forgets the literal keys

/** What the reader of the dashboard asked is left out: it is no part of a test. */
const isOfTest = ({ path }: JournalEntry) => !path.startsWith('/dashboard')

export function JournalCard({ page }: { readonly page: DoublePage }) {
  const view = viewOf(page)
  const all = page.server().journal.entries().filter(isOfTest)
  const shown = all.filter(views[view].fits).slice(-mostShown).toReversed()
  const segments = (Object.keys(views) as View[]).map((name) => ({
    label: views[name].label,
    href: page.link(name === 'all' ? '' : `?show=${name}`),
    isCurrent: name === view,
  }))
  return (
    <Card
      title="Journal"
      aside={
        <>
          <span class="meta">{counted(all.length, 'request')}</span>
          <Segments label="Which requests" tabs={segments} />
          <ActionButton
            id="clear-journal"
            action={page.link('/clear-journal')}
            look="quiet"
            icon="trash-2"
            label="Empty the journal"
            small
          />
        </>
      }
      flush
    >
      {shown.length === 0 ? (
        <p class="card-body quiet">Each request appears here as it comes.</p>
      ) : (
        <Table
          caption="Requests, newest first"
          columns={[
            { name: 'Method' },
            { name: 'Path', look: 'wide' },
            { name: 'Answer' },
            { name: 'Note', look: 'wide-only' },
            { name: 'Took', look: 'right wide-only' },
          ]}
        >
          {shown.map((entry) => (
            <JournalRow page={page} entry={entry} />
          ))}
        </Table>
      )}
      {shown.length < all.filter(views[view].fits).length && (
        <p class="card-body meta">The newest {count(mostShown)}; tests see all of them.</p>
      )}
    </Card>
  )
}

function JournalRow({ page, entry }: { readonly page: DoublePage; readonly entry: JournalEntry }) {
  const { sequence, method, path, durationMs } = entry
  return (
    <tr id={`request-${sequence}`}>
      <td class="tight">
        <code>{method}</code>
      </td>
      <td class="wide">
        <div class="clip">
          <RowLink id={`open-request-${sequence}`} href={page.link(`/requests/${sequence}`)}>
            <code>{path}</code>
          </RowLink>
        </div>
      </td>
      <td class="tight">
        <AnswerBadge entry={entry} />
      </td>
      <td class="wide-only meta">{noteOf(entry)}</td>
      <td class="right meta wide-only">{durationMs === undefined ? '–' : duration(durationMs)}</td>
    </tr>
  )
}

export function AnswerBadge({ entry: { response, error } }: { readonly entry: JournalEntry }) {
  if (response === undefined) return <Badge tone={error === undefined ? 'info' : 'bad'}>{error ?? 'Under way'}</Badge>
  return <Badge tone={toneOf(response.status)}>{response.status}</Badge>
}

function toneOf(status: number) {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'ok'
}

function noteOf({ fault, violations, operation }: JournalEntry): string {
  if (fault !== undefined) return `fault: ${fault}`
  if (violations.length > 0) return 'breaks the contract'
  return operation ?? 'no such route'
}
