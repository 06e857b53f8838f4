import type { GitProvider } from '@service/contract'
import type * as z from 'zod/mini'
import type { App } from '../../context.ts'
import { toBoolean, toInteger } from '../../store/columns.ts'
import { inTransaction } from '../../store/transaction.ts'
import { getWorkspace } from '../workspaces/service.ts'
import type { GitIntegrationInput } from './input.ts'
import * as queries from './queries.ts'
import { type Integration, toIntegration } from './service.ts'

/** A Git integration that is switched on. */
export interface GitIntegration {
  /** Whether an opened issue becomes a ticket. */
  readonly opensTickets: boolean
  /** What the provider signs with; without one every delivery is accepted. */
  readonly secret: string | undefined
}

interface GitSettings {
  readonly create_tickets?: boolean
}

/** Switches a Git provider on or off. `secret: null` removes the secret, leaving it out keeps it. */
export function setGitIntegration(app: App, input: z.output<typeof GitIntegrationInput>): Promise<Integration> {
  const { workspace_id, provider, enabled, create_tickets, secret } = input
  return inTransaction(app, async (app) => {
    await getWorkspace(app, workspace_id)
    const known = await queries.findIntegration(app.db, workspace_id, provider)
    const settings: GitSettings = {
      ...JSON.parse(known?.settings ?? '{}'),
      ...(create_tickets === undefined ? {} : { create_tickets }),
    }
    const now = app.clock.now()
    const changed = {
      enabled: toInteger(enabled),
      settings: JSON.stringify(settings),
      updated_at: now,
      ...(secret === undefined
        ? {}
        : { secret_sealed: secret === null ? null : app.sealer.seal(secret, placeOf(workspace_id, provider)) }),
    }
    const fresh = { workspace_id, kind: provider, secret_hash: null, secret_sealed: null, created_at: now, ...changed }
    return toIntegration(await queries.upsertIntegration(app.db, fresh, changed))
  })
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
    row.secret_sealed === null ? undefined : app.sealer.unseal(row.secret_sealed, placeOf(workspaceId, provider))
  return { opensTickets: settings.create_tickets === true, secret }
}

const placeOf = (workspaceId: number, provider: string) => `integration:${workspaceId}:${provider}`
