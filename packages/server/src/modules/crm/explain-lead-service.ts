import type { ExplainedLead } from '@service/contract/admin/crm'
import type { BodyToExplain } from '@service/contract/admin/mapping'
import { maskMapped } from '@service/intake/errors/mask'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { rolledBack } from '../../store/transaction.ts'
import { bodyToExplain, type CapturedEntry, parseEntries } from '../inbound-deliveries/service.ts'
import { mappingToTry } from '../integrations/mapping-service.ts'
import { type CaptureOutcome, captureOrReread, readDelivery } from './capture-service.ts'
import { getLeadSource } from './lead-source-service.ts'

interface LeadBody {
  readonly workspaceId: number
  readonly source: string
  readonly body: z.output<typeof BodyToExplain>
}

/** Captures a body as if it had been sent to an enabled source, or replays that of a delivery, then rolls back. */
export async function explainLeads(
  app: App,
  { workspaceId, source, body }: LeadBody,
): Promise<{ data: ExplainedLead[] }> {
  const { mapping: saved } = await getLeadSource(app, { workspaceId, source })
  const mapping = await mappingToTry(body.mapping, saved, 'leads')
  const { received, ...raw } = await bodyToExplain(app, { workspaceId, integration: 'leads' }, body)
  const own = received?.source === source ? received.entries : null
  const captured = parseEntries<CapturedEntry>(own) ?? []
  const capturing = { workspaceId, before: { captured, changed: [] } }
  const { entries } = await readDelivery(raw, { source, mapping })
  return rolledBack(app, async (app) => {
    const data: ExplainedLead[] = []
    for (const [index, { reader, ...entry }] of entries.entries()) {
      const mapped = maskMapped(entry.mapped) as ExplainedLead['mapped'] // `from` is a string or null
      if ('ignored' in entry) {
        data.push({ reader, outcome: 'skipped', reason: entry.ignored.reason, lead: null, mapped })
        continue
      }
      const { lead } = entry
      const earlier = captured.find(({ place }) => place === String(index))
      const outcome = await captureOrReread(app, capturing, { lead, earlier })
      const { name, email, phone, company, message } = lead
      data.push({ reader, ...toOutcome(outcome), lead: { name, email, phone, company, message }, mapped })
    }
    return { data }
  })
}

function toOutcome({ lead_created, duplicate, reason }: CaptureOutcome): Pick<ExplainedLead, 'outcome' | 'reason'> {
  if (lead_created) return { outcome: 'created', reason: null }
  return { outcome: duplicate ? 'duplicate' : 'skipped', reason }
}
