import { parseJson } from '../../sanitize/decode.ts'
import {
  identifierAt,
  isRecord,
  type JsonRecord,
  lineAt,
  proseAt,
  recordAt,
  valueAt,
} from '../../sanitize/json-path.ts'
import { oneLine, prose } from '../../sanitize/sanitize-text.ts'
import { entriesAt, maxValues } from '../bounds.ts'
import type { IgnoredReason, LeadAnswer } from '../captured-lead.ts'
import { phoneKey } from '../contact-key.ts'
import { collectFields } from '../form-fields.ts'
import { type Person, personFrom } from '../person.ts'
import { ignoring, type LeadReader, type UnsourcedLead } from './reader.ts'

const textPaths =
  'text.body button.text interactive.button_reply.title interactive.list_reply.title image.caption video.caption document.caption'

const writtenText = (message: unknown): string | null => proseAt(message, ...textPaths.split(' '))

/** The answer to a flow is JSON in a string. If it cannot be parsed, it is kept as text. */
const flowAnswer = (message: unknown): Person | null => {
  const json = valueAt(message, 'interactive.nfm_reply.response_json')
  if (typeof json !== 'string') return null
  try {
    return personFrom(collectFields(parseJson(json, maxValues)).filter(({ question }) => question !== 'flow_token'))
  } catch {
    return personFrom([{ labels: ['message'], question: 'message', value: json }])
  }
}

/** Only the first message after a click on an ad names the ad. */
const adAnswers = (message: unknown): readonly LeadAnswer[] =>
  Object.entries({ Ad: 'referral.headline', 'Ad link': 'referral.source_url' }).flatMap(([question, path]) => {
    const answer = lineAt(message, path)
    return answer === null ? [] : { question, answer }
  })

/** A delivery lists senders apart from their messages. The number joins them or, if it is hidden, the user id. */
const senderOf = (message: unknown, value: JsonRecord | null): unknown => {
  const contacts = entriesAt(value, 'contacts')
  const keys = [identifierAt(message, 'from'), identifierAt(message, 'from_user_id')].filter((key) => key !== null)
  const isSender = (contact: unknown) =>
    [identifierAt(contact, 'wa_id'), lineAt(contact, 'user_id')].some((key) => key !== null && keys.includes(key))
  return contacts.find(isSender) ?? (contacts.length === 1 ? contacts[0] : null)
}

/** `wa_id` is a number without its plus. Shared contact cards are other people and never the lead. */
const toLead = (message: unknown, value: JsonRecord | null): UnsourcedLead => {
  const sender = senderOf(message, value)
  const from = identifierAt(message, 'from')
  const number = [from, identifierAt(sender, 'wa_id')].find((id) => id !== null && /^\+?\d+$/.test(id))
  const digits = number == null ? null : phoneKey(number)
  // If the number is hidden, `from` itself may be the user id.
  const userId =
    lineAt(sender, 'user_id') ?? lineAt(message, 'from_user_id') ?? (/\p{L}/u.test(from ?? '') ? from : null)
  const flow = flowAnswer(message)
  const text = writtenText(message)
  return {
    name: lineAt(sender, 'profile.name', 'profile.username') ?? flow?.name ?? null,
    email: flow?.email ?? null,
    phone: digits === null ? (flow?.phone ?? null) : `+${digits}`,
    company: flow?.company ?? null,
    message: text === null ? (flow?.message ?? null) : prose(text),
    answers: [...(flow?.answers ?? []), ...adAnswers(message)],
    handle: userId === null ? null : oneLine(`whatsapp:${userId}`),
    externalId: identifierAt(message, 'id'),
  }
}

/** Events without a new message. */
const eventKinds = /^(?:reaction|edit|ephemeral|request_welcome|poll_update|pin|keep_in_chat|call_log)/

const reasonToIgnore = (message: unknown): IgnoredReason | null => {
  const kind = lineAt(message, 'unsupported.type', 'type') ?? ''
  const errors = entriesAt(message, 'errors').map((error) => lineAt(error, 'title', 'message', 'details') ?? '')
  if (/revoke|delete/i.test(kind) || errors.some((error) => /deleted|revoked/i.test(error))) return 'message_deleted'
  if (kind === 'system') return 'not_a_lead'
  return eventKinds.test(kind) ? 'not_a_message' : null
}

/** Echoes are messages from the business's own phone; history is messages from before it joined. */
const isOwn = (change: JsonRecord) =>
  /echo|history/.test(lineAt(change, 'field') ?? '') || entriesAt(change, 'value.message_echoes').length > 0

/** The changes of a delivery, with one message each. */
const splitMessages = (change: JsonRecord): readonly JsonRecord[] => {
  const value = recordAt(change, 'value')
  const messages = entriesAt(value, 'messages')
  return isOwn(change) || messages.length === 0
    ? [change]
    : messages.map((message) => ({ ...change, value: { ...value, messages: [message] } }))
}

/** Relays such as n8n pass on the value of a change only. */
const isValueAlone = (body: JsonRecord) => lineAt(body, 'messaging_product') === 'whatsapp'

const changesOf = (body: JsonRecord): readonly JsonRecord[] =>
  isValueAlone(body)
    ? [{ value: body }]
    : entriesAt(body, 'entry').flatMap((entry) => entriesAt(entry, 'changes').filter(isRecord))

/** The envelope around the entries may be missing. */
const hasSenders = (body: JsonRecord) =>
  changesOf(body).some(
    (change) => entriesAt(change, 'value.contacts').length > 0 && entriesAt(change, 'value.messages').length > 0,
  )

export const whatsapp: LeadReader = {
  name: 'WhatsApp Cloud',
  recognizedBy: [
    'object: whatsapp_business_account',
    'messaging_product: whatsapp',
    'changes with `contacts` and `messages',
  ],
  about: 'one inquiry per message: name and number of the sender, text, button, caption, answers of a flow, the ad',
  recognizes: (body) =>
    lineAt(body, 'object') === 'whatsapp_business_account' || isValueAlone(body) || hasSenders(body),
  split: (body) => {
    const entries = changesOf(body).flatMap(splitMessages)
    return entries.length === 0 ? [body] : entries
  },
  read: (change) => {
    const value = recordAt(change, 'value')
    const [message] = entriesAt(value, 'messages')
    if (isOwn(change)) return ignoring('echo')
    if (message === undefined) {
      const [status] = entriesAt(value, 'statuses')
      return status === undefined ? ignoring('not_a_lead') : ignoring('status_update', identifierAt(status, 'id'))
    }
    const reason = reasonToIgnore(message)
    return reason === null ? toLead(message, value) : ignoring(reason, identifierAt(message, 'id'))
  },
}
