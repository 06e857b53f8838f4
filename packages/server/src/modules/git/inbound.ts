import { gitEventHeaders, gitProviders, type gitRoutes, inboundRoutes } from '@service/contract'
import type { GitDelivery, GitHostKey } from '@service/intake/git/activity'
import type { App } from '../../context.ts'
import { createReadingThread, threadFile } from '../../core/body-reading-thread.ts'
import { notFound, unauthorized, unknownName, validation } from '../../core/errors.ts'
import { refuseUnreadable } from '../../core/refuse-unreadable.ts'
import { currentCapture } from '../../core/request-capture.ts'
import {
  type InboundCall,
  type InboundHandlers,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../route-handler.ts'
import { findGitIntegration, type GitIntegration } from '../integrations/git-service.ts'
import * as service from './service.ts'

/** A raw delivery as plain data, so that it can be posted to a worker thread. */
export interface RawDelivery {
  readonly host: GitHostKey
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Bodies up to this size parse within a few milliseconds; larger ones go to the thread. */
const maxBytesReadHere = 512 * 1024

/** The readers of the hosts are loaded with the first delivery. */
const loadHost = async (host: GitHostKey) => (await import('@service/intake/git/hosts/index')).gitHosts[host]

/** Parses a delivery. Throws for a malformed one, see `refuseUnreadable`. */
async function readDelivery(raw: RawDelivery, workspaceId: number): Promise<GitDelivery> {
  const { readEvent } = await loadHost(raw.host)
  if (raw.body.length <= maxBytesReadHere) return readEvent(raw.headers, raw.body)
  return thread.read(raw, { workspaceId, body: isTraced() ? 'copied' : 'handed over' })
}

/** Git hosts time out after ten seconds, so a longer queue is useless. They resend refused deliveries. */
const thread = createReadingThread<RawDelivery, GitDelivery>({
  file: threadFile('git-reading-thread', import.meta.url),
  maxWaiting: 16,
})

/** Whether this request is traced. A trace stores the body. */
const isTraced = () => currentCapture() !== undefined

const maxBodyBytes = 25 * 1024 * 1024

const gitPing: PingHandler = {
  async ping(app, call) {
    const provider = requireProvider(call)
    const integration = await findGitIntegration(app, call.workspaceId, provider)
    return ok({
      status: 'ok',
      message: `Send ${provider} events here with POST; the event is named in ${gitEventHeaders[provider]}.`,
      workspace: String(call.workspaceId),
      provider,
      configured: integration !== undefined,
      supported_methods: ['POST'],
    })
  },
}

const gitReceiver: ReceiveHandler<GitIntegration> = {
  integrationOf: requireProvider,
  limits: { sentBytes: maxBodyBytes },
  async authorize(app, call) {
    return { credential: 'provider', context: await requireIntegration(app, call) }
  },
  async verifyBody(app, delivery, { secret }) {
    const { headers, body } = delivery
    const nowMs = Math.floor(app.clock.now() / 1000)
    const { verify, eventHeaders } = await loadHost(requireProvider(delivery))
    if (secret !== undefined && !verify({ headers, body, secrets: [secret], nowMs }))
      throw unauthorized('Invalid webhook secret.')
    if (!eventHeaders.some((name) => headers[name.toLowerCase()]))
      throw validation({ [eventHeaders[0]]: [`The ${eventHeaders[0]} header is required.`] })
  },
  async receive(app, delivery, integration) {
    const { headers, body, workspaceId, requestId } = delivery
    const raw = { host: requireProvider(delivery), headers, body }
    const read = await readDelivery(raw, workspaceId).catch(refuseUnreadable)
    return ok(
      await service.storeDelivery(app, {
        workspaceId,
        requestId,
        delivery: read,
        opensTickets: integration.opensTickets,
      }),
    )
  },
}

export const gitHandlers = {
  'git.ping': gitPing,
  'git.send': gitReceiver,
} satisfies InboundHandlers<typeof gitRoutes>

/** The last segment of this path may be meant for another webhook, such as `leads` without a source. */
function requireProvider({ params }: InboundCall): GitHostKey {
  const provider = gitProviders.find((known) => known === params['provider'])
  if (provider === undefined) throw unknownName('webhook', String(params['provider']), webhookNames())
  return provider
}

/** `errors`, `attendance`, `leads/{source}`, and the Git providers. */
const webhookNames = () => {
  const names = new Set(inboundRoutes.map(({ path }) => path.replace('/webhooks/{workspace}/', '')))
  return [...names].flatMap((name) => (name === '{provider}' ? gitProviders : name))
}

async function requireIntegration(app: App, call: InboundCall) {
  const integration = await findGitIntegration(app, call.workspaceId, requireProvider(call))
  if (integration === undefined) throw notFound('integration')
  return integration
}
