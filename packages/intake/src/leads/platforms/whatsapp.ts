import { parseJson } from '../../sanitise/decode.ts'
import {
  identifierAt,
  isRecord,
  type JsonRecord,
  lineAt,
  listAt,
  proseAt,
  recordAt,
  valueAt,
} from '../../sanitise/json-path.ts'
import { oneLine, prose } from '../../sanitise/sanitise-text.ts'
import { entriesAt, mostValues } from '../bounded-lists.ts'
import type { IgnoredReason, LeadAnswer } from '../captured-lead.ts'
import { phoneKey } from '../contact-key.ts'
import { collectFields } from '../form-fields.ts'
import { type Person, personFrom } from '../person.ts'
import { ignoring, type LeadReader, type UnsourcedLead } from './reader.ts'

const writtenText = (message: unknown): string | null =>
  proseAt(
    message,
    'text.body',
    'button.text',
    'interactive.button_reply.title',
    'interactive.list_reply.title',
    'image.caption',
    'video.caption',
    'document.caption',
  )

/** The answer to a flow is JSON in a string. If it cannot be parsed, it is kept as text. */
const flowAnswer = (message: unknown): Person | null => {
  const json = valueAt(message, 'interactive.nfm_reply.response_json')
  if (typeof json !== 'string') return null
  try {
    return personFrom(collectFields(parseJson(json, mostValues)).filter(({ question }) => question !== 'flow_token'))
  } catch {
    return personFrom([{ labels: ['message'], question: 'message', value: json }])
  }
}

/** Only the first message after a click on an ad names the ad. */
const adAnswers = (message: unknown): readonly LeadAnswer[] => {
  const [headline, link] = [lineAt(message, 'referral.headline'), lineAt(message, 'referral.source_url')]
  return [
    ...(headline === null ? [] : [{ question: 'Ad', answer: headline }]),
    ...(link === null ? [] : [{ question: 'Ad link', answer: link }]),
  ]
}

type Contacts = { readonly byKey: ReadonlyMap<string, unknown>; readonly only: unknown }

/** A delivery lists senders apart from their messages. The number joins them or, if it is hidden, the user id. */
const contactsOf = (value: JsonRecord | null): Contacts => {
  const contacts = entriesAt(value, 'contacts')
  const keysOf = (contact: unknown) => [identifierAt(contact, 'wa_id'), lineAt(contact, 'user_id')]
  const keyed = contacts.flatMap((contact) =>
    keysOf(contact).flatMap((key) => (key === null ? [] : [[key, contact] as const])),
  )
  return { byKey: new Map(keyed), only: contacts.length === 1 ? contacts[0] : null }
}

const senderOf = (message: unknown, { byKey, only }: Contacts): unknown => {
  const keys = [identifierAt(message, 'from'), identifierAt(message, 'from_user_id')]
  return keys.map((key) => (key === null ? undefined : byKey.get(key))).find((contact) => contact !== undefined) ?? only
}

// If the number is hidden, `from` itself may be the user id.
const hiddenSender = (message: unknown) => {
  const from = lineAt(message, 'from')
  return from !== null && /\p{L}/u.test(from) ? from : null
}

/** `wa_id` is a number without its plus. Shared contact cards are other people and never the lead. */
const leadOf = (message: unknown, contacts: Contacts): UnsourcedLead => {
  const sender = senderOf(message, contacts)
  const number = [identifierAt(message, 'from'), identifierAt(sender, 'wa_id')].find(
    (id) => id !== null && /^\+?\d+$/.test(id),
  )
  const digits = number == null ? null : phoneKey(number)
  const userId = lineAt(sender, 'user_id') ?? lineAt(message, 'from_user_id') ?? hiddenSender(message)
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

/** The type of a message, also of one that the API cannot show. */
const kindOf = (message: unknown) => lineAt(message, 'unsupported.type') ?? lineAt(message, 'type') ?? ''

const isDeletion = (message: unknown): boolean =>
  /revoke|delete/i.test(kindOf(message)) ||
  listAt(message, 'errors').some((error) => /deleted|revoked/i.test(lineAt(error, 'title', 'message', 'details') ?? ''))

/** Events in the place of a message, in which nothing new was written. */
const eventKinds = /^(?:reaction|edit|ephemeral|request_welcome|poll_update|pin|keep_in_chat|call_log)/

const reasonToIgnore = (message: unknown): IgnoredReason | null => {
  if (isDeletion(message)) return 'message_deleted'
  if (kindOf(message) === 'system') return 'not_a_lead'
  return eventKinds.test(kindOf(message)) ? 'not_a_message' : null
}

/** Echoes are what the business wrote on its own phone; history is what was said before it joined. */
const isOwn = (change: JsonRecord) =>
  /echo|history/.test(lineAt(change, 'field') ?? '') || listAt(change, 'value.message_echoes').length > 0

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
    (change) => listAt(change, 'value.contacts').length > 0 && listAt(change, 'value.messages').length > 0,
  )

export const whatsapp: LeadReader = {
  name: 'whatsapp',
  title: 'WhatsApp Cloud',
  recognizedBy:
    '`object: whatsapp_business_account`, `messaging_product: whatsapp`, or changes with `contacts` and `messages`',
  about: 'one inquiry per message: name and number of the sender, text, button, caption, answers of a flow, the ad',
  recognizes: (body) =>
    lineAt(body, 'object') === 'whatsapp_business_account' || isValueAlone(body) || hasSenders(body),
  split: (body) => {
    const entries = changesOf(body).flatMap(splitMessages)
    return entries.length === 0 ? [body] : entries
  },
  read: (change) => {
    const value = recordAt(change, 'value')
    const [message] = listAt(value, 'messages')
    if (isOwn(change)) return ignoring('echo')
    if (message === undefined) {
      const [status] = listAt(value, 'statuses')
      return status === undefined ? ignoring('not_a_lead') : ignoring('status_update', identifierAt(status, 'id'))
    }
    const reason = reasonToIgnore(message)
    return reason === null ? leadOf(message, contactsOf(value)) : ignoring(reason, identifierAt(message, 'id'))
  },
}
