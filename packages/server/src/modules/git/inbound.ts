import { gitEventHeaders, gitProviders, pingGit, receiveGit } from '@service/contract'
import { ApiError, notFound, unauthorized, validation } from '../../api-error.ts'
import type { App } from '../../context.ts'
import { type InboundCall, ok, type PingHandler, type ReceiveHandler } from '../../inbound-handler.ts'
import { UnreadableBody } from '../../untrusted/decode.ts'
import { findGitIntegration } from '../integrations/git-service.ts'
import type { GitHostKey } from './activity.ts'
import { gitHosts, isGitHostKey } from './hosts/index.ts'
import { readDelivery } from './read-delivery.ts'
import * as service from './service.ts'

const largestBody = 25 * 1024 * 1024

export const gitPing: PingHandler = {
  route: pingGit,
  async ping(app, call) {
    const provider = requireProvider(call)
    const integration = await findGitIntegration(app, call.workspaceId, provider)
    return ok({
      status: 'ok',
      message: `Send ${provider} events here with POST; the event is named in ${gitEventHeaders[provider]}.`,
      workspace: call.workspaceName,
      provider,
      configured: integration !== undefined,
      supported_methods: ['POST'],
    })
  },
}

export const gitReceiver: ReceiveHandler = {
  route: receiveGit,
  maxBodyBytes: largestBody,
  // GitLab sends an Idempotency-Key of its own, which names the delivery.
  idempotencyKey: false,
  async authorize(app, call) {
    await requireIntegration(app, call)
    const header = gitEventHeaders[requireProvider(call)]
    if (!call.headers[header.toLowerCase()]) throw validation({ [header]: [`The ${header} header is required.`] })
  },
  async receive(app, delivery) {
    const integration = await requireIntegration(app, delivery)
    const host = gitHosts[requireProvider(delivery)]
    const { headers, body, workspaceId, requestId } = delivery
    const secrets = integration.secret === undefined ? [] : [integration.secret]
    const nowMs = Math.floor(app.clock.now() / 1000)
    if (secrets.length > 0 && !host.verify({ headers, body, secrets, nowMs }))
      throw unauthorized('Invalid webhook secret.')
    const read = await readDelivery({ host: host.key, headers, body }).catch(refuseUnreadable)
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

function requireProvider({ params }: InboundCall): GitHostKey {
  const provider = params['provider'] ?? ''
  if (!isGitHostKey(provider))
    throw new ApiError('not_found', `The Git provider is not known; use one of ${gitProviders.join(', ')}.`)
  return provider
}

async function requireIntegration(app: App, call: InboundCall) {
  const integration = await findGitIntegration(app, call.workspaceId, requireProvider(call))
  if (integration === undefined) throw notFound('integration')
  return integration
}

function refuseUnreadable(fault: unknown): never {
  throw fault instanceof UnreadableBody ? validation({ body: [fault.message] }) : fault
}
