import type { App } from '../../context.ts'
import { getLeadSource } from '../crm/lead-source-service.ts'
import { parseEntries } from '../inbound-deliveries/service.ts'
import { getIntegration } from '../integrations/service.ts'

export interface StoredDelivery {
  readonly integration: string
  readonly source: string | null
  readonly opened: number
  readonly counted: string | null
  readonly hasBody: boolean
}

/** Why a delivery cannot be replayed, as a sentence; null if it can. */
export async function replayRefusal(app: App, workspaceId: number, delivery: StoredDelivery): Promise<string | null> {
  const { integration, source } = delivery
  if (integration !== 'errors' && integration !== 'attendance' && integration !== 'leads')
    return 'Only error reports, leads, and punches can be replayed.'
  const refusal = refusalOfDelivery(delivery)
  if (refusal !== null) return refusal
  const { enabled } =
    integration === 'leads'
      ? await getLeadSource(app, { workspaceId, source: source ?? '' })
      : await getIntegration(app, { workspaceId, integration })
  return enabled
    ? null
    : `Enable ${names[integration] ?? `the lead source ${source}`} before you replay its deliveries.`
}

const names: Readonly<Record<string, string>> = { errors: 'error reports', attendance: 'attendance' }

function refusalOfDelivery({ integration, opened, counted, hasBody }: StoredDelivery): string | null {
  if (!hasBody) return 'The body of this delivery is not stored. Ask the sender to send it again.'
  if (integration === 'attendance')
    return opened ? 'This delivery has recorded a punch. Correct the punch instead.' : null
  const isOld = parseEntries(counted) === null || (opened !== 0 && counted === null)
  return isOld ? 'This delivery was received by an earlier release. Ask the sender to send it again.' : null
}
