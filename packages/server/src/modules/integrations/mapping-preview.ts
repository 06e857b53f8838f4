import type { ExplainedLead } from '@service/contract/admin/crm'
import type { ExplainedReports } from '@service/contract/admin/error-reports'
import type { ExplainedPunch } from '@service/contract/admin/hrms'
import type { InboundDelivery } from '@service/contract/admin/inbound-deliveries'
import { type Mapping, mappedFields } from '@service/contract/admin/mapping'
import { pluralize, words } from '../../ui/format.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import type { MappingKind } from './mapping-service.ts'

/** How a body is read with a mapping, in the same form for errors, leads, and attendance. */
export interface Outcome {
  /** How the body is labeled in the list; a body that is `read` without the mapping has the name of its reader. */
  readonly state: 'changed' | 'ignored' | 'read' | 'refused'
  readonly reader: string
  readonly title: string
  /** What the body would create. */
  readonly effect: string
  /** Further facts, such as the grouping key. */
  readonly detail: string
  readonly values: Readonly<Record<string, unknown>>
  /** The fields that the mapping set. */
  readonly mapped: readonly string[]
  /** The ticket that counts its first report. */
  readonly ticketId?: number | null
  /** Why the body cannot be read. */
  readonly refusal?: string | undefined
}

type Explained = Omit<Outcome, 'state' | 'mapped'> & {
  readonly mapped: readonly { readonly field: string }[]
  readonly isIgnored?: boolean
}

const toOutcome = ({ mapped, isIgnored = false, ...explained }: Explained): Outcome => {
  const changed = mapped.length > 0 ? 'changed' : 'read'
  return { ...explained, state: isIgnored ? 'ignored' : changed, mapped: mapped.map(({ field }) => field) }
}

const nothing = { reader: 'none', title: 'Ignored', detail: '', values: {}, mapped: [] }
const ignored = { ...nothing, effect: 'The mapping ignores this body.', isIgnored: true }

const shownKeyLength = 8

const reasons = {
  mapping: 'opens when',
  documented: 'documented format',
  min_level: 'minimum level',
  recovered: 'a recovery',
} as const

function ofReports({ data, ignored: ignoredCount }: ExplainedReports): Explained {
  const [report, ...others] = data
  if (report === undefined)
    return ignoredCount > 0 ? ignored : { ...nothing, title: 'No report', effect: 'This body contains no error.' }
  const { frames, fingerprint, ...record } = report.record
  return {
    reader: report.format,
    title: report.title,
    effect: `${words(report.level)}: ${report.opens_ticket ? 'opens a ticket' : 'is only counted'} (${reasons[report.opens_because]})`,
    detail: [
      `key ${report.key.slice(0, shownKeyLength)}`,
      others.length > 0 && `and ${pluralize(others.length, 'more report')}`,
    ]
      .filter(Boolean)
      .join(' · '),
    values: {
      ...record,
      stack: Array.isArray(frames) && frames.length > 0 ? pluralize(frames.length, 'frame') : null,
      fingerprint: Array.isArray(fingerprint) ? fingerprint.join(', ') : null,
    },
    mapped: report.mapped,
    ticketId: report.ticket_id,
  }
}

function ofLeads([entry, ...others]: readonly ExplainedLead[]): Explained {
  if (entry === undefined) return { ...nothing, title: 'No lead', effect: 'This body contains no lead.' }
  const { reader, outcome, reason, lead, mapped } = entry
  const effects = { created: 'New lead', duplicate: 'Duplicate', skipped: 'Skipped' }
  const because = reason === null || reason === outcome ? '' : `: ${words(reason).toLowerCase()}`
  return {
    reader,
    title: lead?.name ?? lead?.email ?? lead?.phone ?? 'No person',
    effect: effects[outcome] + because,
    detail: others.length > 0 ? `and ${pluralize(others.length, 'more entry', 'more entries')}` : '',
    values: lead ?? {},
    mapped,
    isIgnored: reason === 'ignored_by_mapping',
  }
}

function ofPunches([punch]: readonly ExplainedPunch[]): Explained {
  if (punch === undefined || punch.outcome === 'ignored') return ignored
  const { outcome, reason, mapped } = punch
  return {
    reader: 'punch',
    title: `${words(outcome)} punch`,
    effect: reason === null ? words(outcome) : `${words(outcome)}: ${words(reason)}`,
    detail: '',
    values: punch.punch ?? {},
    mapped,
    refusal: outcome === 'invalid' && reason !== null ? words(reason) : undefined,
  }
}

/** An integration or lead source with a mapping. */
export interface MappingSource {
  readonly kind: MappingKind
  /** The lead source. */
  readonly source?: string
}

/** The mapped fields in the order of the page. */
export const fieldsOf = ({ kind }: MappingSource): readonly string[] => mappedFields[kind]

const maxBodies = 8
const newestDeliveries = 100

/** The newest deliveries whose bodies are stored. */
export async function listBodies(page: WorkspacePage, { kind, source }: MappingSource): Promise<InboundDelivery[]> {
  const { data } = await page.admin.inboundDeliveries.list(
    { workspace: page.workspace.id },
    { integration: kind, limit: newestDeliveries },
  )
  const isOwn = (delivery: InboundDelivery) => delivery.has_body && (source === undefined || delivery.source === source)
  return data.filter(isOwn).slice(0, maxBodies)
}

interface Draft {
  readonly delivery_id: number
  readonly mapping: Mapping | null
}

/** Explains a stored body with a draft. Throws a validation error if the draft is invalid. */
export async function explainBody(page: WorkspacePage, { kind, source }: MappingSource, draft: Draft) {
  const { admin, workspace } = page
  const ref = { workspace: workspace.id }
  if (kind === 'errors') return toOutcome(ofReports(await admin.errorReports.explain(ref, draft)))
  if (kind === 'attendance') return toOutcome(ofPunches((await admin.attendance.explain(ref, draft)).data))
  return toOutcome(ofLeads((await admin.leadSources.explain({ ...ref, source: source ?? '' }, draft)).data))
}

/** The outcome of a body that cannot be read at all. */
export const unreadable = (message: string): Outcome => ({
  ...nothing,
  title: message,
  effect: 'Refused',
  refusal: message,
  state: 'refused',
})
