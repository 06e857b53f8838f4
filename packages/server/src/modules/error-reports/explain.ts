import type { ErrorLevel } from '@service/contract'
import type { ReportToExplain } from '@service/contract/admin/error-reports'
import { keyPartsOf } from '@service/intake/errors/fingerprint'
import { levelOf, opensTicket } from '@service/intake/errors/level'
import { rulesApplied } from '@service/intake/errors/normalise-message'
import type { ErrorRecord } from '@service/intake/errors/record'
import { titleOf } from '@service/intake/errors/ticket-text'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { getIntegration } from '../integrations/service.ts'
import type { KeyedReport } from './keyed-reports.ts'
import * as queries from './queries.ts'
import { readReports, refuseUnreadable } from './read-body.ts'

/** How one report is read, and which error it belongs to. */
interface Explanation {
  readonly format: string
  readonly title: string
  readonly level: ErrorLevel
  readonly recovered: boolean
  readonly opens_ticket: boolean
  readonly key: string
  readonly key_parts: readonly { readonly name: string; readonly value: string }[]
  readonly message_rules: readonly string[]
  readonly ticket_id: number | null
  readonly record: ErrorRecord
}

/** Reads a body as if it had been posted, down to the lowest level, and counts nothing. */
export async function explainReports(
  app: App,
  workspaceId: number,
  { body, headers = {}, base64 = false }: z.output<typeof ReportToExplain>,
): Promise<Explanation[]> {
  requireHeaders(headers)
  const raw = { headers, body: bytesOf(body, base64), minLevel: 'trace' } as const
  const reports = await readReports(raw).catch(refuseUnreadable)
  const { min_level } = await getIntegration(app, { workspaceId, integration: 'errors' })
  const tickets = await queries.findTicketIds(
    app.db,
    workspaceId,
    reports.map(({ key }) => key),
  )
  return reports.map((report) => ({
    ...explain(report, min_level),
    ticket_id: tickets.get(report.key) ?? null,
  }))
}

function explain(
  { read, key, format, isDocumented }: KeyedReport,
  minLevel: ErrorLevel | null,
): Omit<Explanation, 'ticket_id'> {
  const record = read()
  return {
    format,
    title: titleOf(record),
    level: levelOf(record),
    recovered: record.recovered,
    opens_ticket: opensTicket({ record, isDocumented }, minLevel),
    key,
    key_parts: Object.entries(keyPartsOf(record)).map(([name, value]) => ({ name, value })),
    message_rules: record.message === null ? [] : rulesApplied(record.message),
    record,
  }
}

/** A name without characters or a value beyond Latin-1 can come with no request. */
function requireHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    new Headers(headers)
  } catch {
    throw validation({ headers: ['The headers field must have names and values that HTTP allows.'] })
  }
}

function bytesOf(body: unknown, isBase64: boolean): Uint8Array {
  if (typeof body !== 'string') return Buffer.from(JSON.stringify(body) ?? '')
  return Buffer.from(body, isBase64 ? 'base64' : 'utf8')
}
