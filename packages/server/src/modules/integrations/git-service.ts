import type { GitProvider } from '@service/contract'
import type { App, TxApp } from '../../context.ts'
import { validation } from '../../core/errors.ts'
import { integrationPlace } from '../../encryption/cipher.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import { type Integration, toIntegration } from './integration.ts'
import * as queries from './queries.ts'

/** A Git integration that is switched on. */
export interface GitIntegration {
  /** Whether an opened issue becomes a ticket. */
  readonly opensTickets: boolean
  /** What the provider signs with; without one every delivery is accepted. */
  readonly secret: string | undefined
}

interface GitSettings {
  readonly open_tickets?: boolean
}

export interface GitSwitch extends GitAt {
  readonly enabled: boolean
  readonly open_tickets?: boolean | undefined
  /** Null removes the secret, leaving it out keeps it. */
  readonly secret?: string | null | undefined
}

interface GitAt {
  readonly workspaceId: number
  readonly provider: GitProvider
}

/** Switches a Git provider on or off. */
export function setGitIntegration(app: App, input: GitSwitch): Promise<Integration> {
  const { workspaceId, provider, enabled, open_tickets, secret } = input
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspaceId)
    const known = await queries.findIntegration(app.db, workspaceId, provider)
    if (enabled && secret === undefined) requireReadable(app, known)
    const settings: GitSettings = {
      ...JSON.parse(known?.settings ?? '{}'),
      ...(open_tickets === undefined ? {} : { open_tickets }),
    }
    const now = app.clock.now()
    const changed = {
      enabled: toInteger(enabled),
      settings: JSON.stringify(settings),
      updated_at: now,
      ...(secret === undefined
        ? {}
        : {
            secret_encrypted:
              secret === null ? null : app.cipher.encrypt(secret, integrationPlace(workspaceId, provider)),
          }),
    }
    const fresh = {
      workspace_id: workspaceId,
      kind: provider,
      secret_hash: null,
      secret_encrypted: null,
      created_at: now,
      ...changed,
    }
    return toIntegration(await queries.upsertIntegration(app.db, fresh, changed))
  })
}

/** Switches off what was verified with a secret whose encryption key was lost; gives back a sentence about each. */
export async function disableUnreadableGit(app: TxApp): Promise<string[]> {
  const lost = (await queries.listEncrypted(app.db)).filter(
    ({ secret_encrypted }) => !app.cipher.isReadable(secret_encrypted),
  )
  for (const { workspace_id, kind } of lost) await queries.disable(app.db, workspace_id, kind)
  return lost.map(
    ({ workspace_id, kind }) =>
      `The ${kind} integration of workspace ${workspace_id} is switched off: its encryption key was lost.`,
  )
}

/** Switched on without its secret, it would trust everybody or nobody. */
function requireReadable({ cipher }: App, known: queries.IntegrationRow | undefined): void {
  const encrypted = known?.secret_encrypted ?? null
  if (encrypted === null || cipher.isReadable(encrypted)) return
  throw validation({ secret: ['The encryption key of this secret was lost: give the secret again, or null for none.'] })
}

/** The integration when it is switched on. */
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
      : app.cipher.decrypt(row.secret_encrypted, integrationPlace(workspaceId, provider))
  return { opensTickets: settings.open_tickets === true, secret }
}
