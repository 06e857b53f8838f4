import type { LeadSource } from '@service/contract'
import { notFound } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { hashSecret, newSecret } from '../../secrets.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { LeadSourceSwitch } from './input.ts'
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

/** Issues the secret of a source's webhook, shown in this answer only; an older one stops at once. */
export function regenerateLeadSourceSecret(
  app: App,
  { workspaceId, source }: { workspaceId: number; source: string },
): Promise<LeadSourceState & { readonly secret: string }> {
  return inTransaction(app, async (app) => {
    const secret = newSecret(app.ids)
    const row = await queries.updateLeadSourceSecret(app.db, { workspaceId, source, secretHash: hashSecret(secret) })
    if (row === undefined) throw notFound('lead source', source)
    return { ...toState(row), secret }
  })
}

function toState(row: { source: string; active: number; secret_hash: string | null }): LeadSourceState {
  return { source: row.source, active: toBoolean(row.active), has_secret: row.secret_hash !== null }
}
