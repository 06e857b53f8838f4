import { type errorRoutes, webhookSecretHeader } from '@service/contract'
import { forbidden, notFound, unauthorized } from '../../core/errors.ts'
import { isSecret } from '../../core/ids.ts'
import {
  type InboundCall,
  type InboundHandlers,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../route-handler.ts'
import { type ErrorIntegration, findErrorIntegration } from '../integrations/service.ts'
import { readReports, refuseUnreadable } from './read-body.ts'
import * as service from './service.ts'

const scope = 'tickets:write'

const errorPing: PingHandler = {
  ping: async (app, { workspaceId }) =>
    ok({
      status: 'ok',
      message: `Send error reports here with POST and the header ${webhookSecretHeader}, or a bearer token with ${scope}.`,
      workspace: String(workspaceId),
      configured: (await findErrorIntegration(app, workspaceId)) !== undefined,
      supported_methods: ['POST'],
    }),
}

const errorReceiver: ReceiveHandler<ErrorIntegration> = {
  async authorize(app, call) {
    const integration = await findErrorIntegration(app, call.workspaceId)
    if (integration === undefined) throw notFound('integration')
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    if (given === undefined) return { credential: `token:${requireToken(call)}`, context: integration }
    if (!isSecret(given, integration.secretHash)) throw unauthorized('Invalid webhook secret.')
    return { credential: 'secret', context: integration }
  },
  async receive(app, { workspaceId, requestId, headers, body }, { minLevel, resolvesTickets }) {
    const reports = await readReports({ body, headers, minLevel }).catch(refuseUnreadable)
    return ok(await service.recordErrors(app, { workspaceId, requestId, reports, minLevel, resolvesTickets }))
  },
}

export const errorHandlers = {
  'errors.ping': errorPing,
  'errors.report': errorReceiver,
} satisfies InboundHandlers<typeof errorRoutes>

/** A bearer token serves in place of the secret when it may create tickets here. Gives its id. */
function requireToken({ caller, workspaceId }: InboundCall): number {
  if (caller === undefined) throw unauthorized('Invalid webhook secret.')
  if (caller.workspaceId !== workspaceId) throw forbidden('This token does not belong to this workspace.')
  if (!caller.scopes.has(scope)) throw forbidden(`This token lacks the scope ${scope}.`)
  return caller.tokenId
}
