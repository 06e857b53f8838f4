import { Badge } from '../../ui/components/badge.tsx'
import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Code } from '../../ui/components/code.tsx'
import { RowLink, Table } from '../../ui/components/table.tsx'
import { count, duration, exactTime, pluralize } from '../../ui/format.ts'
import { redirect, type ShownResult, show } from '../../ui/page-types.ts'
import { describeViolation } from '../contract/violation.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { DoublePage } from './double-page.ts'

const maxShown = 50

/** Requests to the dashboard are not part of a test. */
const isOfTest = ({ path }: JournalEntry) => !path.startsWith('/dashboard')

export function JournalCard({ page }: { readonly page: DoublePage }) {
  const all = page.server.journal.entries().filter(isOfTest)
  const shown = all.slice(-maxShown).toReversed()
  return (
    <Card title="Journal" aside={<span class="meta">{pluralize(all.length, 'request')}</span>} flush>
      {shown.length === 0 ? (
        <p class="card-body quiet">Requests appear here as they arrive.</p>
      ) : (
        <Table
          caption="Requests, newest first"
          columns={[
            { name: 'Method' },
            { name: 'Path', classes: 'wide' },
            { name: 'Answer' },
            { name: 'Note', classes: 'wide-only' },
            { name: 'Duration', classes: 'right wide-only' },
          ]}
        >
          {shown.map((entry) => (
            <JournalRow page={page} entry={entry} />
          ))}
        </Table>
      )}
      {shown.length < all.length && <p class="card-body meta">The newest {count(maxShown)}; tests see all of them.</p>}
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

function AnswerBadge({ entry: { response, error } }: { readonly entry: JournalEntry }) {
  if (response === undefined) return <Badge tone={error === undefined ? 'info' : 'bad'}>{error ?? 'In flight'}</Badge>
  return <Badge tone={toneOf(response.status)}>{response.status}</Badge>
}

function toneOf(status: number) {
  if (status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'ok'
}

function noteOf({ fault, violations, operation }: JournalEntry): string {
  if (fault !== undefined) return `fault: ${fault}`
  if (violations.length > 0) return 'contract violation'
  return operation ?? 'unknown route'
}

/** One request of the journal. */
export function requestDetail(page: DoublePage, sequence: number): ShownResult {
  const entry = page.server.journal.entries().find((each) => each.sequence === sequence)
  if (entry === undefined) return redirect(page.link(''), 'This request is no longer in the journal.')
  const { method, path, request, response } = entry
  return show({
    title: `Request ${sequence}`,
    crumbs: [{ label: 'Test double', href: page.link('') }],
    body: (
      <>
        <PageHead title={`${method} ${path}`} badge={<AnswerBadge entry={entry} />} />
        <div class="stack">
          <RequestFacts page={page} entry={entry} />
          <Message name="Request" message={request} />
          {response !== undefined && <Message name="Answer" message={response} />}
        </div>
      </>
    ),
  })
}

function RequestFacts({ page, entry }: { readonly page: DoublePage; readonly entry: JournalEntry }) {
  const { at, operation, auth, transport, durationMs, fault, violations, rows, query } = entry
  const breaches = violations.map((each) => describeViolation(each, { ...entry, status: entry.response?.status }))
  const changes = rows.map(({ table, inserted, updated, deleted }) => `${table} +${inserted} ~${updated} −${deleted}`)
  return (
    <Facts
      facts={[
        ['Received', exactTime(at.getTime(), page.zone)],
        ['Operation', operation ?? 'Unknown route'],
        Object.keys(query).length > 0 && ['Query', new URLSearchParams(query).toString()],
        ['Credential', auth.kind === 'token' ? `Token ending in ${auth.hint}` : auth.kind],
        ['Transport', transport],
        durationMs !== undefined && ['Duration', duration(durationMs)],
        fault !== undefined && ['Fault', fault],
        breaches.length > 0 && ['Contract', breaches.join('\n')],
        changes.length > 0 && ['Rows', changes.join(', ')],
      ]}
    />
  )
}

/** A request or a response. */
function Message({ name, message }: { readonly name: string; readonly message: JournalEntry['request'] }) {
  const { headers, body } = message
  return (
    <Card title={name}>
      <div class="stack">
        <Facts
          facts={Object.entries(headers).map(([header, value]) => [header, <code class="breakable">{value}</code>])}
        />
        {body !== undefined && (
          <Code id={`${name.toLowerCase()}-body`} title={`Body of the ${name.toLowerCase()}`}>
            {typeof body === 'string' ? body : JSON.stringify(body, null, 2)}
          </Code>
        )}
      </div>
    </Card>
  )
}
