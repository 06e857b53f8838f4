import { type leadRoutes, leadSources, webhookSecretHeader } from '@service/contract'
import { answerHandshake } from '@service/intake/leads/handshake'
import { hasPlatformSignature, signsItsDeliveries } from '@service/intake/leads/platform-signature'
import type { LeadReading } from '@service/intake/leads/read-leads'
import type { App } from '../../context.ts'
import { ApiError, notFound, unauthorized } from '../../core/errors.ts'
import { matchesSecretHash } from '../../core/ids.ts'
import {
  type InboundCall,
  type InboundDelivery,
  type InboundHandlers,
  ok,
  type PingHandler,
  type ReceiveHandler,
} from '../../route-handler.ts'
import { readDelivery, receiveLeads } from './capture-service.ts'
import { findLeadSource, type ReceivingLeadSource, requireDocumented } from './lead-source-service.ts'

const leadPing: PingHandler = {
  async ping(app, call) {
    const source = sourceOf(call)
    const found = await findLeadSource(app, call.workspaceId, source)
    const challenge = answerHandshake({ source, query: call.query, secret: found?.secret ?? null })
    if (challenge?.status === 200) return { status: 200, text: challenge.body, contentType: challenge.contentType }
    if (challenge !== null) return { status: 403, answer: { message: challenge.message } }
    return ok({
      status: 'ok',
      message: `Send leads here with POST and the header ${webhookSecretHeader}.`,
      workspace: String(call.workspaceId),
      configured: found?.active === true && found.secretHash !== undefined,
      supported_sources: [...leadSources],
      source_hint: source,
      supported_methods: ['POST'],
    })
  },
}

const leadReceiver: ReceiveHandler<ConfiguredSource> = {
  integrationOf: () => 'leads',
  async authorize(app, call) {
    const source = await requireSource(app, call)
    const given = call.headers[webhookSecretHeader.toLowerCase()]
    // Google sends the secret in the body; Meta, WhatsApp, LinkedIn, and TikTok sign the body. Those are checked later.
    if (given === undefined ? !isVerifiedByBody(call) : !matchesSecretHash(given, source.secretHash)) refuseSecret()
    return { credential: 'secret', context: source }
  },
  async verifyBody(app, delivery, source) {
    if (hasSecretHeader(delivery)) return
    const nowMs = Math.floor(app.clock.now() / 1000)
    const isVerified = signsItsDeliveries(source.source)
      ? hasPlatformSignature(delivery, source.secret, nowMs)
      : await hasBodyKey(delivery, source)
    if (!isVerified) refuseSecret()
  },
  receive: async (app, delivery, source) => ok(await receiveLeads(app, delivery, source)),
}

export const leadHandlers = {
  'leads.ping': leadPing,
  'leads.capture': leadReceiver,
} satisfies InboundHandlers<typeof leadRoutes>

const sourceOf = ({ params }: InboundCall) => params['source'] ?? ''

type ConfiguredSource = ReceivingLeadSource & { readonly secretHash: string }

async function requireSource(app: App, call: InboundCall): Promise<ConfiguredSource> {
  const source = await findLeadSource(app, call.workspaceId, sourceOf(call))
  if (source === undefined) requireDocumented(sourceOf(call))
  if (source?.secretHash === undefined) throw notFound('lead source', sourceOf(call))
  return { ...source, secretHash: source.secretHash }
}

const isVerifiedByBody = (call: InboundCall) => sourceOf(call) === 'google_ads' || signsItsDeliveries(sourceOf(call))

const hasSecretHeader = (call: InboundCall) => call.headers[webhookSecretHeader.toLowerCase()] !== undefined

function refuseSecret(): never {
  throw unauthorized('Invalid webhook secret.')
}

/** Whether the body contains a valid key. An unreadable body does not. */
async function hasBodyKey(delivery: InboundDelivery, source: ConfiguredSource): Promise<boolean> {
  const { bodyKey } = (await tryToRead(delivery, source)) ?? { bodyKey: null }
  return bodyKey !== null && matchesSecretHash(bodyKey, source.secretHash)
}

async function tryToRead(delivery: InboundDelivery, source: ReceivingLeadSource): Promise<LeadReading | undefined> {
  try {
    return await readDelivery(delivery, source)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
