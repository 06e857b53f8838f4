import type { GitProvider } from '@service/contract'
import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { integrationContext } from '../../encryption/cipher.ts'
import { encrypt } from '../../encryption/encryption-key.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { type Integration, toIntegration } from './integration.ts'
import * as queries from './queries.ts'

/** An enabled Git integration. */
export interface GitIntegration {
  /** Whether an opened issue becomes a ticket. */
  readonly opensTickets: boolean
  /** The provider's signing secret. If it is missing, every delivery is accepted. */
  readonly secret: string | undefined
}

interface GitSettings {
  readonly open_tickets?: boolean
}

export interface GitIntegrationChange extends GitIntegrationRef {
  readonly enabled: boolean
  readonly open_tickets?: boolean | undefined
  /** Null removes the secret; undefined keeps it. */
  readonly secret?: string | null | undefined
}

interface GitIntegrationRef {
  readonly workspaceId: number
  readonly provider: GitProvider
}

/** Enables or disables a Git provider. */
export function setGitIntegration(app: App, input: GitIntegrationChange): Promise<Integration> {
  const { workspaceId, provider, enabled, open_tickets, secret } = input
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspaceId)
    const known = await queries.findIntegration(app.db, workspaceId, provider)
    if (enabled && secret === undefined) requireReadable(app, known)
    const settings: GitSettings = {
      ...JSON.parse(known?.settings ?? '{}'),
      ...(open_tickets === undefined ? {} : { open_tickets }),
    }
    const changed = {
      enabled: toInteger(enabled),
      settings: JSON.stringify(settings),
      updated_at: app.clock.now(),
      ...(secret === undefined
        ? {}
        : {
            secret_encrypted:
              secret === null ? null : await encrypt(app, secret, integrationContext(workspaceId, provider)),
          }),
    }
    return toIntegration(
      await queries.upsertIntegration(app.db, { workspace_id: workspaceId, kind: provider }, changed),
    )
  })
}

/** Disables integrations whose secret cannot be decrypted. Returns one sentence each. */
export async function disableUnreadableGit(app: TxApp): Promise<string[]> {
  const lost = (await queries.listEncrypted(app.db)).filter(
    ({ secret_encrypted }) => !app.cipher.isReadable(secret_encrypted),
  )
  for (const { workspace_id, kind } of lost) await queries.disable(app.db, workspace_id, kind)
  return lost.map(
    ({ workspace_id, kind }) =>
      `The ${kind} integration of workspace ${workspace_id} is disabled because its encryption key was lost.`,
  )
}

/** Without its secret, an enabled integration would accept all deliveries or none. */
function requireReadable({ cipher }: App, known: queries.IntegrationRow | undefined): void {
  const encrypted = known?.secret_encrypted ?? null
  if (encrypted === null || cipher.isReadable(encrypted)) return
  throw validation({
    secret: ['The encryption key of this secret was lost. Send the secret again, or null to remove it.'],
  })
}

/** Returns the integration if it is enabled. */
export async function findGitIntegration(
  app: App,
  workspaceId: number,
  provider: GitProvider,
): Promise<GitIntegration | undefined> {
  const row = await queries.findIntegration(app.db, workspaceId, provider)
  if (row === undefined || !toBoolean(row.enabled)) return undefined
  const settings: GitSettings = JSON.parse(row.settings)
  const secret =
    row.secret_encrypted === null
      ? undefined
      : app.cipher.decrypt(row.secret_encrypted, integrationContext(workspaceId, provider))
  return { opensTickets: settings.open_tickets === true, secret }
}
