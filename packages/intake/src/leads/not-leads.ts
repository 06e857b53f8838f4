import { type Condition, compileConditions, compileLookup } from '../paths/paths.ts'
import { type JsonRecord, lineAt, recordAt } from '../sanitise/json-path.ts'
import { hasTwoSides, keyOf } from './call-parties.ts'
import type { IgnoredReason } from './captured-lead.ts'
import type { FormField } from './labelled-field.ts'
import table from './not-leads.json' with { type: 'json' }
import type { Person } from './person.ts'

// What is not an inquiry. The events of known senders are exact; everything else is a guess and never applies to an
// entry in which a person wrote a message.

type Rule = { readonly reason: IgnoredReason; readonly holds: Condition }

/** Sender, reason, and a condition of the path grammar; or a path whose value has to be one of several words. */
const ruleOf = ([, reason, when = '', path, words = '']: readonly string[]): Rule => {
  const condition = when === '' ? () => true : compileConditions([when])
  const find = path === undefined ? null : compileLookup(path)
  const values = new Set(words.toLowerCase().split(' '))
  const isOne = (body: unknown) => find === null || values.has(String(find(body)).toLowerCase())
  return { reason: reason as IgnoredReason, holds: (body) => condition(body) && isOne(body) }
}

const senders = table.senders.map(ruleOf)

/** For the documentation: what is skipped, and an example of each guess. */
export const knownSenders = table.senders.map(([name = '', reason = '']) => ({ reason, name }))
export const knownEvents = table.events.map(([reason = '', things = '', states = '']) => ({
  reason,
  name: `\`${things.split(' ', 1)[0]}.${states.split(' ', 1)[0]}\``,
}))

const oneOf = (words = '') => `(?:${words.replaceAll('_', '.').replaceAll(' ', '|')})`

/** A thing and what happened to it, between at most one word on each side: `sms.delivered`, `campaign_email_opened`. */
const events = table.events.map(([reason, things, states]) => ({
  reason: reason as IgnoredReason,
  name: new RegExp(
    `^(?:\\w{1,30}\\.)?${oneOf(things)}s?\\.${oneOf(states)}(?:\\.(?:status|report|event|callback|received|updated))?$`,
  ),
}))

const places = ['data', 'fields', 'payload', 'payload.data', 'body', 'submission', 'entry', 'form_response.hidden']

const trap = /^(?:_honey|_gotcha|_?honeypot|bot[-_]?field|hp[-_]?field)$/i
const spamFlag = /^(?:is[-_]?)?spam$|^(?:marked[-_]?as[-_]?spam|spam[-_]?flag|akismet)$/i
const status = /^(?:entry[-_]?)?status$/i
const isFilled = (value: unknown) => !/^(?:|null|undefined|false|0|no|off)$/i.test(String(value ?? '').trim())
const isSpam = (key: string, value: unknown) =>
  (spamFlag.test(key) && /^(?:true|1|spam)$/i.test(String(value))) || (status.test(key) && value === 'spam')

/** What a bot filled in or a spam filter marked, and the events of known senders. */
export const reasonOfSender = (body: JsonRecord): IgnoredReason | null => {
  const records = [body, ...places.map((place) => recordAt(body, place) ?? {})]
  const fields = records.flatMap((record) => Object.entries(record).slice(0, 200))
  if (fields.some(([key, value]) => trap.test(key) && typeof value !== 'object' && isFilled(value))) return 'honeypot'
  if (fields.some(([key, value]) => isSpam(key, value))) return 'spam'
  return senders.find(({ holds }) => holds(body))?.reason ?? null
}

const kindPaths = ['', 'data.', 'payload.'].flatMap((place) =>
  ['event', 'type', 'event_type', 'eventType', 'event_name', 'eventName', 'topic'].map((key) => `${place}${key}`),
)

/** `emailBounced` and `email_bounced` → `email.bounced`. What a person wrote has spaces. */
const eventOf = (text: string): string =>
  text.length <= 60 && /^[\w.:/-]+$/.test(text)
    ? text
        .replace(/[a-z](?=[A-Z])/g, '$&.')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '.')
    : ''

const authorPaths = ['', 'message.', 'data.', 'data.message.', 'payload.'].flatMap((place) =>
  ['sender_type', 'sender.type', 'author_type', 'author.type'].map((key) => `${place}${key}`),
)

const keyOfChat = /^(?:conversation|chat|thread|visitor)/i
const keyOfCall = /^call(?:id|sid|uuid|status|duration)?$|^(?:duration|recording)/

const flag = /^(?:is)?(?:(outgoing|outbound|fromme)|incoming|inbound)$/
const kind = /^(?:event|type|eventtype|eventname|messagetype|action|flags?)$/

/** `outbound`, `message.sent`, `isIncoming: false`: the business called or wrote. */
const isOutgoing = (field: FormField): boolean => {
  const flagged = flag.exec(keyOf(field))
  if (flagged !== null) return field.value === String(flagged[1] !== undefined)
  if (keyOf(field).endsWith('direction')) return /^out/i.test(field.value)
  return kind.test(keyOf(field)) && /^(?:outbound|outgoing)|(?:^|\W)(?:outbound|outgoing|sent)$/i.test(field.value)
}

/** The business called or wrote. Two sides are the record of a message; a form with a message may ask to be called. */
const reasonOfDirection = (fields: readonly FormField[], person: Person, event: string): IgnoredReason | null => {
  const flags = fields.filter(isOutgoing)
  if (flags.length === 0) return null
  const isCall = /(?:^|\.)call(?:\.|$)/.test(event) || fields.some((field) => keyOfCall.test(keyOf(field)))
  const isOwnChat = person.email === null && flags.every((field) => /fromme$/.test(keyOf(field)))
  if (!hasTwoSides(fields) && !isOwnChat && !(isCall && person.message === null)) return null
  return isCall ? 'outbound_call' : 'echo'
}

/** What the event, the direction, and the author of an entry in an unknown shape say. */
export const reasonToGuess = (body: JsonRecord, fields: readonly FormField[], person: Person): IgnoredReason | null => {
  const names = kindPaths.map((path) => eventOf(lineAt(body, path) ?? '')).filter((name) => name !== '')
  const author = lineAt(body, ...authorPaths) ?? ''
  const isOfChat = Object.keys({ ...body, ...recordAt(body, 'data') }).some((key) => keyOfChat.test(key))
  if (/^(?:agent|operator|admin|staff|bot|system|business)$/i.test(author) && isOfChat) return 'echo'
  const direction = reasonOfDirection(fields, person, names[0] ?? '')
  if (direction !== null || person.message !== null) return direction
  return events.find(({ name }) => names.some((event) => name.test(event)))?.reason ?? null
}
