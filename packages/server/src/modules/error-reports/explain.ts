import type { ErrorLevel } from '@service/contract'
import type { ExplainedReport, ExplainedReports } from '@service/contract/admin/error-reports'
import type { BodyToExplain } from '@service/contract/admin/mapping'
import { keyPartsOf } from '@service/intake/errors/fingerprint'
import { levelOf, opensTicket } from '@service/intake/errors/level'
import { rulesApplied } from '@service/intake/errors/normalize-message'
import { titleOf } from '@service/intake/errors/ticket-text'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { refuseUnreadable } from '../../core/refuse-unreadable.ts'
import { bodyToExplain } from '../inbound-deliveries/service.ts'
import { mappingToTry } from '../integrations/mapping-service.ts'
import { getIntegration } from '../integrations/service.ts'
import type { KeyedReport } from './keyed-reports.ts'
import * as queries from './queries.ts'
import { readReports } from './read-body.ts'

/** Reads a body as if it had been posted, at every level, without recording anything. */
export async function explainReports(
  app: App,
  { workspaceId, body }: { readonly workspaceId: number; readonly body: z.output<typeof BodyToExplain> },
): Promise<ExplainedReports> {
  const ref = { workspaceId, integration: 'errors' } as const
  const { min_level, mapping: saved } = await getIntegration(app, ref)
  const mapping = await mappingToTry(body.mapping, saved, 'errors')
  const raw = await bodyToExplain(app, ref, body)
  const { reports, ignored } = await readReports({ ...raw, minLevel: 'trace', mapping }, ref).catch(refuseUnreadable)
  const keys = reports.map(({ key }) => key)
  const tickets = await queries.findTicketIds(app.db, workspaceId, keys)
  return {
    ignored,
    data: reports.map((report) => ({ ...explain(report, min_level), ticket_id: tickets.get(report.key) ?? null })),
  }
}

function explain(report: KeyedReport, minLevel: ErrorLevel | null): Omit<ExplainedReport, 'ticket_id'> {
  const { key, format, mapped } = report
  const record = report.read()
  return {
    format,
    title: titleOf(record),
    level: levelOf(record),
    recovered: record.recovered,
    ...opening(report, minLevel),
    key,
    key_parts: Object.entries(keyPartsOf(record)).map(([name, value]) => ({ name, value })),
    message_rules: record.message === null ? [] : rulesApplied(record.message),
    record,
    mapped: [...mapped] as ExplainedReport['mapped'], // `from` is a string, a number, or null
  }
}

function opening({ read, opens, isDocumented }: KeyedReport, minLevel: ErrorLevel | null) {
  const record = read()
  if (record.recovered) return { opens_ticket: false, opens_because: 'recovered' } as const
  if (opens !== null) return { opens_ticket: opens, opens_because: 'mapping' } as const
  const opens_ticket = opensTicket({ record, isDocumented }, minLevel)
  return { opens_ticket, opens_because: isDocumented ? 'documented' : 'min_level' } as const
}
