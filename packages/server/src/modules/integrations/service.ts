import type { App } from '../../context.ts'
import { toInstant } from '../../instants.ts'
import { hashSecret, newSecret } from '../../secrets.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { IntegrationName } from './input.ts'
import * as queries from './queries.ts'

/** An inbound integration as it may be shown: everything but its secret. */
export interface Integration {
  readonly kind: string
  readonly enabled: boolean
  readonly has_secret: boolean
  readonly updated_at: string
}

/** A freshly issued secret; it is in this answer and nowhere else. */
export interface IssuedSecret {
  readonly secret: string
}

/** Switches an integration on. A first time it gets its secret, which is shown in this answer only. */
export function enableIntegration(app: App, name: IntegrationName): Promise<Integration & Partial<IssuedSecret>> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, name.workspace_id)
    const known = await queries.findIntegration(app.db, name.workspace_id, name.kind)
    if (known?.secret_hash) return toIntegration(await write(app, name, { enabled: toInteger(true) }))
    return issue(app, name)
  })
}

export function disableIntegration(app: App, name: IntegrationName): Promise<Integration> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, name.workspace_id)
    return toIntegration(await write(app, name, { enabled: toInteger(false) }))
  })
}

/** Issues a new secret; the old one stops at once. A seed may pin it. */
export function regenerateSecret(
  app: App,
  name: IntegrationName,
  pinned?: string,
): Promise<Integration & IssuedSecret> {
  return inTransaction(app, async (app) => {
    await getWorkspace(app, name.workspace_id)
    return issue(app, name, pinned)
  })
}

export async function listIntegrations(app: App, workspaceId: number): Promise<Integration[]> {
  return (await queries.listIntegrations(app.db, workspaceId)).map(toIntegration)
}

/** The hash of an integration's secret when it is switched on and the secret has been issued. */
export async function findSecretHash(app: App, workspaceId: number, kind: string): Promise<string | undefined> {
  const row = await queries.findIntegration(app.db, workspaceId, kind)
  return row !== undefined && toBoolean(row.enabled) && row.secret_hash !== null ? row.secret_hash : undefined
}

async function issue(
  app: App,
  name: IntegrationName,
  secret = newSecret(app.ids),
): Promise<Integration & IssuedSecret> {
  const row = await write(app, name, { enabled: toInteger(true), secret_hash: hashSecret(secret) })
  return { ...toIntegration(row), secret }
}

function write(app: App, { workspace_id, kind }: IntegrationName, changed: Partial<queries.IntegrationRow>) {
  const now = app.clock.now()
  const fresh = {
    workspace_id,
    kind,
    enabled: 0,
    secret_hash: null,
    secret_sealed: null,
    settings: '{}',
    created_at: now,
    updated_at: now,
  }
  return queries.upsertIntegration(app.db, { ...fresh, ...changed }, { ...changed, updated_at: now })
}

export function toIntegration({
  kind,
  enabled,
  secret_hash,
  secret_sealed,
  updated_at,
}: queries.IntegrationRow): Integration {
  return {
    kind,
    enabled: toBoolean(enabled),
    has_secret: secret_hash !== null || secret_sealed !== null,
    updated_at: toInstant(updated_at),
  }
}
