import { type Condition, compileConditions, compileLookup, firstKeysOf } from '../paths/paths.ts'
import { isRecord, type JsonRecord, lineAt, recordAt } from '../sanitize/json-path.ts'
import { hasTwoSides, keyOf } from './call-parties.ts'
import type { IgnoredReason } from './captured-lead.ts'
import { isDocumentedInquiry } from './documented-lead.ts'
import type { FormField } from './labeled-field.ts'
import { plainKey } from './labels/plain-label.ts'
import table from './not-leads.json' with { type: 'json' }
import type { Person } from './person.ts'

// Detects bodies that are not inquiries. Rules for known senders are exact. Guesses for other bodies never apply to an
// entry in which a person wrote a message.

type Rule = { readonly sender: string; readonly reason: IgnoredReason; readonly holds: Condition }

/** Sender, reason, and a condition of the path grammar; or a path whose value must be one of several words. */
const toRule = ([sender = '', reason, when = '', path, words = '']: readonly string[]): Rule => {
  const condition = when === '' ? () => true : compileConditions([when])
  const find = path === undefined ? null : compileLookup(path)
  const values = new Set(words.toLowerCase().split(' '))
  const hasListedValue = (body: unknown) => find === null || values.has(String(find(body)).toLowerCase())
  return { sender, reason: reason as IgnoredReason, holds: (body) => condition(body) && hasListedValue(body) }
}

/** Indexed by the first keys of their bodies, so that each body is compared with few rules. */
const senders = new Map<string, Rule[]>()
for (const row of table.senders)
  for (const key of firstKeysOf([row[2] || row[3] || ''])) senders.set(key, [...(senders.get(key) ?? []), toRule(row)])

/** For the documentation: what is skipped, and an example of each guess. */
export const knownSenders = table.senders.map(([name = '', reason = '']) => ({ reason, name }))
export const knownEvents = [
  ...table.events.map(([reason = '', things = '', states = '']) => ({
    reason,
    name: `\`${things.split(' ', 1)[0]}.${states.split(' ', 1)[0]}\``,
  })),
  ...table.words.map(([reason = '', words = '']) => ({ reason, name: `\`event: ${words.split(' ', 1)[0]}\`` })),
]

const events = table.events.map(([reason, things = '', states = '']) => ({
  reason: reason as IgnoredReason,
  things: new Set(things.split(' ')),
  states: new Set(states.replaceAll('_', '.').split(' ')),
}))
const words = new Map(
  table.words.flatMap(([reason, words = '']) =>
    words.split(' ').map((word) => [word.replaceAll('_', '.'), reason as IgnoredReason] as const),
  ),
)
const endings = /^(?:status|report|event|callback|received|updated)$/

/** A thing and what happened to it, between at most one word on each side: `sms.delivered`, `campaign_email_opened`. */
const reasonOfEvent = (event: string): IgnoredReason | undefined => {
  const words = event.split('.').filter((word, index) => index < 2 || !endings.test(word))
  const ruleAt = (index: number) => {
    const [thing = '', state] = [words[index], words.slice(index + 1).join('.')]
    return events.find(
      ({ things, states }) => states.has(state) && (things.has(thing) || things.has(thing.slice(0, -1))),
    )
  }
  return (ruleAt(0) ?? ruleAt(1))?.reason
}

const containers = ['data', 'fields', 'payload', 'payload.data', 'body', 'submission', 'entry', 'form_response.hidden']

const maxKeys = 200

const flagKeys = /honey|gotcha|field|spam|akismet|status/i
const trap = /^(?:_honey|_gotcha|_?honeypot|bot[-_]?field|hp[-_]?field)$/i
const spamFlag = /^(?:is[-_]?)?spam$|^(?:marked[-_]?as[-_]?spam|spam[-_]?flag|akismet)$/i
const status = /^(?:entry[-_]?)?status$/i
const isFilled = (value: unknown) => !/^(?:|null|undefined|false|0|no|off)$/i.test(String(value ?? '').trim())
const isSpam = (key: string, value: unknown) =>
  (spamFlag.test(key) && /^(?:true|1|spam)$/i.test(String(value))) || (status.test(key) && value === 'spam')

/** Bot submissions, spam, and events of known senders, with the evidence. */
export const findSenderRule = (body: JsonRecord): Omit<Rule, 'holds'> | null => {
  const records = [body, ...containers.map((container) => recordAt(body, container) ?? {})]
  const fields = records
    .flatMap((record) => Object.entries(record).slice(0, maxKeys))
    .filter(([key]) => flagKeys.test(key))
  if (fields.some(([key, value]) => trap.test(key) && typeof value !== 'object' && isFilled(value)))
    return { sender: 'any form', reason: 'honeypot' }
  if (fields.some(([key, value]) => isSpam(key, value))) return { sender: 'any form', reason: 'spam' }
  const rules = isDocumentedInquiry(body) ? [] : Object.keys(body).flatMap((key) => senders.get(key) ?? [])
  return rules.find(({ holds }) => holds(body)) ?? null
}

const kindKeys = ['event', 'type', 'eventtype', 'eventname', 'topic', 'action', 'trigger', 'notificationtype']
const eventHolders = /^(?:data|payload|notification)$/

/** The texts under keys that name a kind, however they are spelled: `event`, `EventType`, `event_name`. */
const kindsIn = (record: JsonRecord): readonly string[] => {
  const texts = Object.entries(record)
    .slice(0, maxKeys)
    .flatMap(([key, value]) => (typeof value === 'string' ? [{ key: plainKey(key), value }] : []))
  return kindKeys.flatMap((kind) => texts.filter(({ key }) => key === kind).map(({ value }) => value))
}

/** `emailBounced` and `email_bounced` → `email.bounced`. What a person wrote has spaces. */
const toEventName = (text: string): string =>
  text.length <= 60 && /^[\w.:/-]+$/.test(text)
    ? text
        .replace(/[a-z](?=[A-Z])/g, '$&.')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '.')
    : ''

const authorPaths = ['', 'message.', 'data.', 'data.message.', 'payload.'].flatMap((container) =>
  ['sender_type', 'sender.type', 'author_type', 'author.type'].map((key) => `${container}${key}`),
)

const staff = /^(?:agent|operator|admin|staff|bot|system|business)$/i
const keyOfChat = /^(?:conversation|chat|thread|visitor)/i
const keyOfCall =
  /^call(?:id|sid|uuid|type|direction|from|to|status|state|result|outcome|duration|time|started|ended)?$|^(?:answered$|duration|recording|talktime)/
const noteOfStaff = /^(?:call)?(?:notes?|comments?|summary|transcript|transcription|disposition)$/

const flag = /^(?:is)?(?:(outgoing|outbound|fromme)|incoming|inbound)$/
const kind = /^(?:event|type|eventtype|eventname|messagetype|calltype|action|flags?)$/

/** `outbound`, `message.sent`, `isIncoming: false`: the business called or wrote. */
const isOutgoing = (field: FormField): boolean => {
  const flagged = flag.exec(keyOf(field))
  if (flagged !== null) return field.value === String(flagged[1] !== undefined)
  if (keyOf(field).endsWith('direction')) return /^out/i.test(field.value)
  return (
    kind.test(keyOf(field)) &&
    /^(?:outbound|outgoing)|(?:^|\.)(?:outbound|outgoing|sent)$/.test(toEventName(field.value))
  )
}

/** The business called or wrote. Two sides are the record of a message; a form with a message may ask to be called. */
const reasonOfDirection = (fields: readonly FormField[], person: Person, event: string): IgnoredReason | null => {
  const flags = fields.filter(isOutgoing)
  if (flags.length === 0) return null
  const isCall = /(?:^|\.)call(?:\.|$)/.test(event) || fields.some((field) => keyOfCall.test(keyOf(field)))
  const isOwnChat = person.email === null && flags.every((field) => /fromme$/.test(keyOf(field)))
  const isUnwritten = fields.every((field) => field.value !== person.message || noteOfStaff.test(keyOf(field)))
  if (!hasTwoSides(fields) && !isOwnChat && !(isCall && isUnwritten)) return null
  return isCall ? 'outbound_call' : 'echo'
}

const change = /(?:^|\.)(?:updated?|changed?|modified|edited|preferences?|subscriptions?)(?:\.|$)/
const optOut =
  /^(?:is|has|hs)?(?:email|sms|marketing)?(?:unsubscribed?|unsubscribe|opte?d?out|opte?d?outofemail|unsubscribed(?:at|on))$/
const optIn = /^(?:is)?subscribed$/

/** `contact.updated` with `unsubscribed: true` or `status: unsubscribed`. */
const isOptedOut = (field: FormField): boolean =>
  (optOut.test(keyOf(field)) && isFilled(field.value)) ||
  (optIn.test(keyOf(field)) && !isFilled(field.value)) ||
  (keyOf(field).endsWith('status') && words.get(field.value.toLowerCase()) === 'unsubscribed')

const idOfMessage = /^(?:message|msg|sms|e?mail)(?:id|uuid|sid)$/
const stateKeys = ['message_status', 'messageStatus', 'delivery_status', 'deliveryStatus']

const ofMachines = /reason|response|subject|agent|campaign|list|description|diagnostic|error|smtp|status/

/** Several words under a name that a receipt does not have. */
const isWritten = (field: FormField): boolean =>
  /(?<!\p{L})\p{L}{2,30}\s\p{L}{1,30}\s\p{L}/u.test(field.value) && !ofMachines.test(keyOf(field))

/** `event: delivered` with an address is a receipt. With a name, it is one only around the data of the person. */
const reasonOfWord = (
  body: JsonRecord,
  { names, fields, person }: { names: readonly string[]; fields: readonly FormField[]; person: Person },
): IgnoredReason | undefined => {
  const isAround = recordAt(body, 'data', 'payload', 'contact', 'subscriber', 'recipient') !== null
  if ((person.name !== null && !isAround) || fields.some(isWritten)) return undefined
  const statuses = fields.some((field) => idOfMessage.test(keyOf(field))) ? ['status', 'state'] : []
  const states = [...stateKeys, ...statuses].map((key) => toEventName(lineAt(body, key) ?? ''))
  return [...names, ...states].map((name) => words.get(name)).find((reason) => reason !== undefined)
}

/** Mail servers report in these names that a message did not arrive. */
const mailServer = /^(?:mailer-daemon|postmaster)@/i
const nameOfServer = /\bmail\b|daemon|postmaster/i
const isFromMailServer = ({ name, email }: Person): boolean =>
  mailServer.test(email ?? '') && (name === null || nameOfServer.test(name))

/** The words with which providers let a recipient of text messages opt out. */
const optOutWord = /^\s*(?:stop|stop ?all|unsubscribe)[.!]?\s*$/i
const isOptOutText = ({ email, phone, message }: Person): boolean =>
  email === null && phone !== null && optOutWord.test(message ?? '')

/** Judges an entry of an unknown shape by its event, direction, and author. */
export const guessIgnoredReason = (
  body: JsonRecord,
  fields: readonly FormField[],
  person: Person,
): IgnoredReason | null => {
  if (isFromMailServer(person)) return 'bounced'
  if (isOptOutText(person)) return 'unsubscribed'
  const isOfChat = Object.keys({ ...body, ...recordAt(body, 'data') }).some((key) => keyOfChat.test(key))
  if (isOfChat && staff.test(lineAt(body, ...authorPaths) ?? '')) return 'echo'
  const inner = Object.entries(body)
    .slice(0, maxKeys)
    .filter(([key]) => eventHolders.test(plainKey(key)))
  const records = [body, ...inner.map(([, value]) => value).filter(isRecord)]
  const names = records.flatMap(kindsIn).map(toEventName)
  const direction = reasonOfDirection(fields, person, names[0] ?? '')
  if (direction !== null || person.message !== null) return direction
  if (names.some((name) => change.test(name)) && fields.some(isOptedOut)) return 'unsubscribed'
  return (
    names.map(reasonOfEvent).find((reason) => reason !== undefined) ??
    reasonOfWord(body, { names, fields, person }) ??
    null
  )
}
