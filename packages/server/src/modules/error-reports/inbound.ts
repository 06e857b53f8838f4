import { pingErrors, receiveError, webhookSecretHeader } from '@service/contract'
import { ApiError, forbidden, notFound, unauthorized, validation } from '../../api-error.ts'
import { type InboundCall, ok, type PingHandler, type ReceiveHandler } from '../../inbound-handler.ts'
import { isSecret } from '../../secrets.ts'
import { findSecretHash } from '../integrations/service.ts'
import { ReportRefused } from './decode.ts'
import { readErrorReports } from './read-error-reports.ts'
import type { ErrorRecord } from './record.ts'
import * as service from './service.ts'

const scope = 'tickets:write'

export const errorPing: PingHandler = {
  route: pingErrors,
  ping: async (app, { workspaceId, workspaceName }) =>
    ok({
      status: 'ok',
      message: `Send error reports here with POST and the header ${webhookSecretHeader}, or a bearer token with ${scope}.`,
      workspace: workspaceName,
      configured: (await findSecretHash(app, workspaceId, 'errors')) !== undefined,
      supported_methods: ['POST'],
    }),
}

export const errorReceiver: ReceiveHandler = {
  route: receiveError,
  async authorize(app, call) {
    const hash = await findSecretHash(app, call.workspaceId, 'errors')
    if (hash === undefined) throw notFound('integration')
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    if (given === undefined) requireToken(call)
    else if (!isSecret(given, hash)) throw unauthorized('Invalid webhook secret.')
  },
  async receive(app, { workspaceId, requestId, headers, body }) {
    const records = read(body, headers)
    return ok(await service.recordErrors(app, { workspaceId, requestId, records }))
  },
}

/** A bearer token serves in place of the secret when it may create tickets here. */
function requireToken({ caller, workspaceId }: InboundCall): void {
  if (caller === undefined) throw unauthorized('Invalid webhook secret.')
  if (caller.workspaceId !== workspaceId) throw forbidden('This token does not belong to this workspace.')
  if (!caller.scopes.has(scope)) throw forbidden(`This token lacks the scope ${scope}.`)
}

function read(body: Uint8Array, headers: Readonly<Record<string, string>>): ErrorRecord[] {
  try {
    return readErrorReports({ body, headers: new Headers(headers) })
  } catch (refusal) {
    if (!(refusal instanceof ReportRefused)) throw refusal
    throw refusal.kind === 'too_large'
      ? new ApiError('payload_too_large', refusal.message)
      : validation({ body: [refusal.message] })
  }
}
