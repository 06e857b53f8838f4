import { Card, Facts, PageHead } from '../../ui/components/card.tsx'
import { Code } from '../../ui/components/code.tsx'
import { duration, exactTime } from '../../ui/format.ts'
import { type PageResult, redirect, show } from '../../ui/page-types.ts'
import { describeViolation } from '../contract/violation.ts'
import type { JournalEntry } from '../journal/journal-entry.ts'
import { AnswerBadge } from './double-journal.tsx'
import type { DoublePage } from './double-page.ts'

/** One request of the journal. */
export function requestDetail(page: DoublePage, sequence: number): PageResult {
  const entry = page
    .server()
    .journal.entries()
    .find((each) => each.sequence === sequence)
  if (entry === undefined) return redirect(page.link(''), 'The journal does not have this request any more.')
  const { method, path, request, response } = entry
  return show({
    title: `Request ${sequence}`,
    crumbs: [{ label: 'Test double', href: page.link('') }],
    body: (
      <>
        <PageHead title={`${method} ${path}`} badge={<AnswerBadge entry={entry} />} />
        <div class="stack">
          <RequestFacts page={page} entry={entry} />
          <Message name="Request" id="request" headers={request.headers} body={request.body} />
          {response !== undefined && (
            <Message name="Answer" id="answer" headers={response.headers} body={response.body} />
          )}
        </div>
      </>
    ),
  })
}

function RequestFacts({ page, entry }: { readonly page: DoublePage; readonly entry: JournalEntry }) {
  const { at, operation, auth, transport, durationMs, fault, violations, rows, query } = entry
  return (
    <Facts
      facts={[
        ['Came', exactTime(at.getTime(), page.zone)],
        ['Operation', operation ?? 'There is no such route'],
        Object.keys(query).length > 0 && ['Query', new URLSearchParams(query).toString()],
        ['Credential', auth.kind === 'token' ? `Token that ends in ${auth.hint}` : auth.kind],
        ['Way in', transport],
        durationMs !== undefined && ['Took', duration(durationMs)],
        fault !== undefined && ['Fault', fault],
        violations.length > 0 && ['Contract', violations.map((violation) => describeViolation(violation)).join('\n')],
        rows.length > 0 && [
          'Rows',
          rows
            .map(({ table, inserted, updated, deleted }) => `${table} +${inserted} ~${updated} −${deleted}`)
            .join(', '),
        ],
      ]}
    />
  )
}

interface MessageProps {
  readonly name: string
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function Message({ name, id, headers, body }: MessageProps) {
  return (
    <Card title={name}>
      <div class="stack">
        <Facts
          facts={Object.entries(headers).map(([header, value]) => [header, <code class="breakable">{value}</code>])}
        />
        {body !== undefined && (
          <Code id={`${id}-body`} title={`Body of the ${name.toLowerCase()}`}>
            {typeof body === 'string' ? body : JSON.stringify(body, null, 2)}
          </Code>
        )}
      </div>
    </Card>
  )
}
