import type { LeadSource } from '@service/contract'
import { notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { hashSecret, newSecret } from '../../secrets.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { LeadSourceSwitch } from './input.ts'
import { signsItsDeliveries } from './lead-capture/platform-signature.ts'
import * as queries from './queries.ts'

/** A lead source: whether leads are taken from it, and whether its webhook has a secret. */
export interface LeadSourceState {
  readonly source: LeadSource
  readonly active: boolean
  readonly has_secret: boolean
}

/** Switches a lead source of a workspace on or off. */
export function switchLeadSource(
  app: App,
  { workspace_id, source, active }: LeadSourceSwitch,
): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const now = app.clock.now()
    const row = { workspace_id, source, active: toInteger(active), created_at: now, updated_at: now }
    return toState(await queries.upsertLeadSource(app.db, row))
  })
}

export async function listLeadSources(app: App, workspaceId: number): Promise<LeadSourceState[]> {
  return (await queries.listLeadSources(app.db, workspaceId)).map(toState)
}

/** Issues the secret of a source's webhook, shown in this answer only; an older one stops at once. A seed may pin it. */
export async function regenerateLeadSourceSecret(
  app: App,
  at: LeadSourceAt,
  secret = newSecret(app.ids),
): Promise<LeadSourceState & { readonly secret: string }> {
  return { ...(await setLeadSourceSecret(app, at, secret)), secret }
}

/** Takes the secret that a platform has given, e.g. LinkedIn's client secret; an older one stops at once. */
export function setLeadSourceSecret(app: App, at: LeadSourceAt, secret: string): Promise<LeadSourceState> {
  return inTransaction(app, async (app) => {
    const secret_sealed = signsItsDeliveries(at.source) ? app.sealer.seal(secret, placeOf(at)) : null
    const row = await queries.updateLeadSourceSecret(app.db, { ...at, secret_hash: hashSecret(secret), secret_sealed })
    if (row === undefined) throw notFound('lead source', at.source)
    return toState(row)
  })
}

/** A lead source as its webhook needs it. */
export interface LeadSourceAtDoor {
  readonly source: string
  readonly active: boolean
  readonly secretHash: string | undefined
  /** Readable only for platforms that sign their deliveries. */
  readonly secret: string | undefined
}

export async function findLeadSource(
  app: App,
  workspaceId: number,
  source: string,
): Promise<LeadSourceAtDoor | undefined> {
  const row = await queries.findLeadSource(app.db, workspaceId, source)
  if (row === undefined) return undefined
  const secret =
    row.secret_sealed === null ? undefined : app.sealer.unseal(row.secret_sealed, placeOf({ workspaceId, source }))
  return { source, active: toBoolean(row.active), secretHash: row.secret_hash ?? undefined, secret }
}

interface LeadSourceAt {
  readonly workspaceId: number
  readonly source: string
}

const placeOf = ({ workspaceId, source }: LeadSourceAt) => `lead-source:${workspaceId}:${source}`

function toState(row: { source: string; active: number; secret_hash: string | null }): LeadSourceState {
  return { source: row.source, active: toBoolean(row.active), has_secret: row.secret_hash !== null }
}
