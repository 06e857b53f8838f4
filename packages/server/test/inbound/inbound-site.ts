import { createInboundClient, type InboundClientOptions } from '@service/client/inbound'
import { leadSources } from '@service/contract'
import type { Server, ServerOptions } from '../../src/index.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import type { Start } from '../on-every-store.ts'
import { call, seedWorkspace } from '../workspace.ts'

export const encryptionKey = 'a key for tests, of at least 32 characters'

/** A server, a workspace, and a client that sends to it. */
export interface InboundSite {
  readonly server: Server
  readonly clock: ManualClock
  readonly workspace: { readonly id: number }
  readonly workspaceId: number
  readonly token: string
}

/** A server without a rate limit and with an encryption key, and a workspace without integrations. */
export async function startSite(start: Start, options: ServerOptions = {}): Promise<InboundSite> {
  const clock = manualClock()
  return siteIn(await start({ clock, rateLimit: 'off', encryptionKey, ...options }), clock)
}

export async function siteIn(server: Server, clock: ManualClock, name = 'Acme'): Promise<InboundSite> {
  const { workspace, token } = await seedWorkspace(server, { name })
  return { server, clock, workspace, workspaceId: workspace.id, token }
}

/** An inbound client that calls the server in process. Each request is sent exactly once, and waits as long as a test may. */
export const inboundOf = (
  { server, clock, workspaceId }: Pick<InboundSite, 'server' | 'clock' | 'workspaceId'>,
  options: Partial<InboundClientOptions> = {},
) =>
  createInboundClient({
    webhookBaseUrl: 'http://127.0.0.1/api',
    workspace: workspaceId,
    fetch: server.fetch,
    clock: () => clock.now() / 1000,
    maxRetries: 0,
    timeoutMs: 120_000,
    deadlineMs: 120_000,
    ...options,
  })

/** The secrets of all integrations except Git, which has none here. */
export interface IssuedSecrets {
  readonly errors: string
  readonly attendance: string
  readonly leads: Readonly<Record<string, string>>
}

/** Enables all integrations, with tickets for issues and without secrets for Git. */
export async function enableAll({ server, workspaceId: workspace_id }: InboundSite): Promise<IssuedSecrets> {
  const { admin } = server
  for (const provider of ['github', 'gitlab', 'bitbucket'] as const) {
    await admin.integrations.update(
      { workspace: workspace_id, integration: provider },
      { enabled: true, open_tickets: true },
    )
  }
  const errors = await admin.integrations.rotateSecret({ workspace: workspace_id, integration: 'errors' })
  const attendance = await admin.integrations.rotateSecret({ workspace: workspace_id, integration: 'attendance' })
  const leads: Record<string, string> = {}
  for (const source of leadSources) {
    await admin.leadSources.update({ workspace: workspace_id, source }, { enabled: true })
    leads[source] = (await admin.leadSources.rotateSecret({ workspace: workspace_id, source })).secret
  }
  return { errors: errors.secret, attendance: attendance.secret, leads }
}

/** A site with all integrations enabled, and a client with all secrets. */
export async function startOpenSite(start: Start, options: ServerOptions = {}) {
  const site = await startSite(start, options)
  const secrets = await enableAll(site)
  return { ...site, secrets, inbound: inboundOf(site, { secrets }) }
}

/** Posts an error report in its sender's format and returns the receipt. */
export async function postReport(
  { server, workspaceId, secrets }: Pick<InboundSite, 'server' | 'workspaceId'> & { readonly secrets: IssuedSecrets },
  body: unknown,
): Promise<unknown> {
  const headers = { 'x-service-webhook-secret': secrets.errors }
  return (await call(server, { method: 'POST', path: `/api/webhooks/${workspaceId}/errors`, body, headers })).body
}
