import { type errorRoutes, webhookSecretHeader } from '@service/contract'
import { defaultLimits } from '@service/intake/errors/decoding/decode-error'
import { notFound, unauthorized } from '../../core/errors.ts'
import { matchesSecretHash } from '../../core/ids.ts'
import {
  type InboundCall,
  type InboundHandlers,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../route-handler.ts'
import { findReceivingIntegration, type ReceivingIntegration } from '../integrations/service.ts'
import { requireCaller } from '../tokens/access-service.ts'
import { receiveErrors } from './service.ts'

const scope = 'tickets:write'

const errorPing: PingHandler = {
  ping: async (app, { workspaceId }) =>
    ok({
      status: 'ok',
      message: `Send error reports here with POST and the header ${webhookSecretHeader}, or a bearer token with ${scope}.`,
      workspace: String(workspaceId),
      configured: (await findReceivingIntegration(app, workspaceId, 'errors')) !== undefined,
      supported_methods: ['POST'],
    }),
}

const errorReceiver: ReceiveHandler<ReceivingIntegration> = {
  integrationOf: () => 'errors',
  async authorize(app, call) {
    const integration = await findReceivingIntegration(app, call.workspaceId, 'errors')
    if (integration === undefined) throw notFound('integration')
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    if (given === undefined) return { credential: `token:${requireToken(call)}`, context: integration }
    if (!matchesSecretHash(given, integration.secretHash)) throw unauthorized('Invalid webhook secret.')
    return { credential: 'secret', context: integration }
  },
  receive: async (app, delivery, integration) => ok(await receiveErrors(app, delivery, integration)),
  limits: { decompressedBytes: defaultLimits.inflatedBytes },
}

export const errorHandlers = {
  'errors.ping': errorPing,
  'errors.report': errorReceiver,
} satisfies InboundHandlers<typeof errorRoutes>

/** A bearer token that can create tickets here replaces the secret. Returns its id. */
function requireToken({ caller, workspaceId }: InboundCall): number {
  if (caller === undefined) throw unauthorized('Invalid webhook secret.')
  return requireCaller(caller, { workspaceId, scope, token: undefined }).tokenId
}
