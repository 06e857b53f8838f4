import { leadSources, pingLeads, receiveLead, webhookSecretHeader } from '@service/contract'
import { notFound, unauthorized, validation } from '../../api-error.ts'
import type { App } from '../../context.ts'
import {
  type InboundCall,
  type InboundDelivery,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../inbound-handler.ts'
import { isSecret } from '../../secrets.ts'
import { UnreadableBody } from '../../untrusted/decode.ts'
import { captureLeads } from './capture.ts'
import { answerHandshake } from './lead-capture/handshake.ts'
import { hasPlatformSignature, signsItsDeliveries } from './lead-capture/platform-signature.ts'
import { type LeadReading, readLeads } from './lead-capture/read-lead.ts'
import { findLeadSource, type LeadSourceAtDoor } from './lead-sources.ts'

export const leadPing: PingHandler = {
  route: pingLeads,
  async ping(app, call) {
    const source = sourceOf(call)
    const found = await findLeadSource(app, call.workspaceId, source)
    const challenge = signsItsDeliveries(source) ? answerHandshake(call.query, found?.secret ?? null) : null
    if (challenge?.status === 200) return { status: 200, text: challenge.body, contentType: challenge.contentType }
    if (challenge !== null) return { status: 403, answer: { message: 'The verify token is wrong.' } }
    return ok({
      status: 'ok',
      message: `Send leads here with POST and the header ${webhookSecretHeader}.`,
      workspace: call.workspaceName,
      configured: found?.active === true && found.secretHash !== undefined,
      supported_sources: [...leadSources],
      source_hint: source,
      supported_methods: ['POST'],
    })
  },
}

export const leadReceiver: ReceiveHandler = {
  route: receiveLead,
  async authorize(app, call) {
    const source = await requireSource(app, call)
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    // Google writes the secret into the body, and Meta, WhatsApp and LinkedIn sign it: those are checked with the body.
    if (given === undefined && provesItselfInBody(call)) return
    if (given === undefined || !isSecret(given, source.secretHash)) throw unauthorized('Invalid webhook secret.')
  },
  async receive(app, delivery) {
    const source = await requireSource(app, delivery)
    if (signsItsDeliveries(sourceOf(delivery))) requireSignature(delivery, source)
    const reading = read(delivery)
    if (sourceOf(delivery) === 'google_ads') requireBodyKey(delivery, source, reading)
    return ok(await captureLeads(app, { ...delivery, source, reading }))
  },
}

const sourceOf = ({ params }: InboundCall) => params['source'] ?? ''

type ConfiguredSource = LeadSourceAtDoor & { readonly secretHash: string }

async function requireSource(app: App, call: InboundCall): Promise<ConfiguredSource> {
  const source = await findLeadSource(app, call.workspaceId, sourceOf(call))
  if (source?.secretHash === undefined) throw notFound('lead source', sourceOf(call))
  return { ...source, secretHash: source.secretHash }
}

const provesItselfInBody = (call: InboundCall) => sourceOf(call) === 'google_ads' || signsItsDeliveries(sourceOf(call))

const hasSecretHeader = (call: InboundCall) => call.headers[webhookSecretHeader.toLowerCase()] !== undefined

function requireSignature(delivery: InboundDelivery, source: ConfiguredSource): void {
  if (hasSecretHeader(delivery) || hasPlatformSignature(delivery, source.secret)) return
  throw unauthorized('Invalid webhook secret.')
}

function requireBodyKey(delivery: InboundDelivery, source: ConfiguredSource, { bodyKey }: LeadReading): void {
  if (hasSecretHeader(delivery) || (bodyKey !== null && isSecret(bodyKey, source.secretHash))) return
  throw unauthorized('Invalid webhook secret.')
}

function read(delivery: InboundDelivery): LeadReading {
  try {
    return readLeads({ source: sourceOf(delivery), headers: delivery.headers, body: delivery.body })
  } catch (fault) {
    throw fault instanceof UnreadableBody ? validation({ body: [fault.message] }) : fault
  }
}
