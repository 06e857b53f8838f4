import { parseJson } from '../../../../untrusted/decode.ts'
import { oneLine, prose } from '../../../../untrusted/inert-text.ts'
import {
  identifierAt,
  type JsonRecord,
  lineAt,
  listAt,
  proseAt,
  recordAt,
  valueAt,
} from '../../../../untrusted/json-path.ts'
import type { LeadAnswer, PlatformReading } from '../captured-lead.ts'
import { phoneKey } from '../contact-key.ts'
import { collectFields } from '../form-fields.ts'
import { type Person, personFrom } from '../person.ts'
import { combined, ignoring, type LeadPlatform, type UnsourcedLead } from './platform.ts'

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
    'reaction.emoji',
  )

/** The answer to a flow is JSON inside a string. One that cannot be read is kept as the text it is. */
const flowAnswer = (message: unknown): Person | null => {
  const json = valueAt(message, 'interactive.nfm_reply.response_json')
  if (typeof json !== 'string') return null
  try {
    return personFrom(collectFields(parseJson(json)).filter(({ question }) => question !== 'flow_token'))
  } catch {
    return personFrom([{ labels: ['message'], question: 'message', value: json }])
  }
}

/** Only the first message after a click on an ad says which one it was. */
const adAnswers = (message: unknown): readonly LeadAnswer[] => {
  const [headline, link] = [lineAt(message, 'referral.headline'), lineAt(message, 'referral.source_url')]
  return [
    ...(headline === null ? [] : [{ question: 'Ad', answer: headline }]),
    ...(link === null ? [] : [{ question: 'Ad link', answer: link }]),
  ]
}

/** A delivery lists its senders apart from their messages; they meet by number or, where that is hidden, by user id. */
const senderOf = (message: unknown, contacts: readonly unknown[]): unknown => {
  const keys = [identifierAt(message, 'from'), identifierAt(message, 'from_user_id')].filter((key) => key !== null)
  const isSender = (contact: unknown) =>
    keys.some((key) => key === identifierAt(contact, 'wa_id') || key === lineAt(contact, 'user_id'))
  return contacts.find(isSender) ?? (contacts.length === 1 ? contacts[0] : null)
}

// Where the number is hidden, `from` itself may be the user id.
const hiddenSender = (message: unknown) => {
  const from = lineAt(message, 'from')
  return from !== null && /\p{L}/u.test(from) ? from : null
}

/** `wa_id` is a number without its plus. Shared contact cards are other people and never the lead. */
const leadOf = (message: unknown, contacts: readonly unknown[]): UnsourcedLead => {
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

const readChange = (change: unknown): PlatformReading => {
  const value: JsonRecord | null = recordAt(change, 'value')
  // Echoes are what the business wrote on its own phone; history is what was said before it joined.
  if (/echo|history/.test(lineAt(change, 'field') ?? '') || listAt(value, 'message_echoes').length > 0)
    return ignoring('echo')
  const people = listAt(value, 'messages').filter((message) => lineAt(message, 'type') !== 'system')
  if (people.length > 0)
    return { leads: people.map((message) => leadOf(message, listAt(value, 'contacts'))), ignored: [] }
  const [status] = listAt(value, 'statuses')
  return status === undefined ? ignoring('not_a_lead') : ignoring('status_update', identifierAt(status, 'id'))
}

export const whatsapp: LeadPlatform = {
  name: 'whatsapp',
  recognises: ({ body }) => lineAt(body, 'object') === 'whatsapp_business_account',
  read: (body) => {
    const changes = listAt(body, 'entry').flatMap((entry) => listAt(entry, 'changes'))
    return changes.length === 0 ? ignoring('not_a_lead') : combined(changes.map(readChange))
  },
}
