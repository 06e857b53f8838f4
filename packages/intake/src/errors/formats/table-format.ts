import { compileConditions, compileLookup, hasValue, type Lookup, toEntries, toPair } from '../../paths/paths.ts'
import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { namesInChat } from '../guess/chat.ts'
import { readErrorObject, readFrames } from '../guess/error-object.ts'
import { describesFailure } from '../guess/failure-words.ts'
import { nameInText } from '../guess/named-in-text.ts'
import { describesOutage } from '../guess/quiet.ts'
import { stateOfTitle } from '../guess/state-words.ts'
import { looksThrown, readTitle, withTitle } from '../guess/title.ts'
import { walkReport } from '../guess/walk.ts'
import { pick, toObjects, toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { type SeverityScale, severityName } from '../severity.ts'
import type { Format } from './format.ts'
import { generic } from './generic.ts'

const fields = [
  ...['message', 'exception', 'file', 'line', 'stack', 'url', 'method', 'framework', 'environment', 'app', 'severity'],
  ...['status', 'fingerprint'],
] as const

type OneOrMore = string | readonly string[]

export const toList = (values: OneOrMore = []): readonly string[] => (typeof values === 'string' ? [values] : values)

/** A format in the table. Expressions and conditions are in the grammar of `paths.ts`. */
export type Row = {
  readonly name: string
  readonly title: string
  /** One of these conditions must hold. */
  readonly when: OneOrMore
  /** Starts with the generic reader's result; the fields below override it. */
  readonly guess?: true
  /** Opens a ticket only if this field or the message describes a failure. */
  readonly failures?: string
  /** The list whose entries are separate reports. Without it, the body is one report. */
  readonly each?: string
  /** Recognizes no report with a severity or a message that describes a failure, which is about something else. */
  readonly harmless?: true
  /** Entries that are not errors. */
  readonly drop?: OneOrMore
  /** The error object, or a list of errors of which the first was raised. Read by common names. */
  readonly error?: string
  readonly frames?: string
  /** The end of the frame list with the crash. */
  readonly first?: 'oldest' | 'newest'
  readonly scale?: SeverityScale
  /** Names with their expressions; `*` takes all labels of an object or a list. */
  readonly labels?: Readonly<Record<string, string>>
  /** The id of an incident or an issue. Each has its own key, which its updates share. */
  readonly case?: string
  /** What a message is about: texts whose amounts, times, and state are left out of the key. */
  readonly names?: OneOrMore
  /** The message of a chat. Further lines and facts tell what it is about. */
  readonly chat?: string
  /** The key that an alert and its recovery share. */
  readonly identity?: OneOrMore
  /** The state, which may be a recovery. */
  readonly state?: string
  readonly recovered?: OneOrMore
  /** Texts that may say that the problem is over. */
  readonly says?: OneOrMore
  /** Follow-ups, which open no ticket. */
  readonly followUp?: OneOrMore
} & { readonly [Field in (typeof fields)[number]]?: string }

const recoveredState =
  /^(?:resolved?|recover(?:ed|y)|ok(?:ay)?|up|closed?|inactive|deactivated|normal|healthy|success(?:ful)?|succe(?:ed|eded|ss)|complete[d]?|online|restored|clear(?:ed)?)$/i

const maxLabels = 200

const labelsIn = (value: unknown): JsonRecord => {
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).slice(0, maxLabels))
  return Object.fromEntries(toEntries(value).flatMap((entry) => [toPair(entry)].filter((pair) => pair !== null)))
}

/** A part of a grouping key; the labels of an alert may be one. */
const toPart = (value: unknown): string | null => (isRecord(value) ? JSON.stringify(value) : toText(value))

const compileFields = (row: Row): readonly (readonly [field: string, lookup: Lookup])[] =>
  fields.flatMap((field) => (row[field] === undefined ? [] : [[field, compileLookup(row[field])] as const]))

type Found = Record<string, unknown>

/** Adds the parts that have a value. */
const add = (draft: Found, found: RecordDraft): void => {
  const values: Readonly<Found> = found
  for (const field in values) {
    const value = values[field]
    if (hasValue(value) && !(Array.isArray(value) && value.length === 0)) draft[field] = value
  }
}

const toCondition = (conditions?: OneOrMore) => compileConditions(toList(conditions))

const recoveryIn = (paths: readonly string[]) => {
  const texts = paths.map(compileLookup)
  return (entry: JsonRecord, report: JsonRecord): boolean =>
    texts.some((text) => stateOfTitle(toText(text(entry, report)) ?? '') === 'resolved')
}

/** Compiles the grouping key of a row. Empty if a report has none. */
const compileKey = (row: Row) => {
  const [ids = [], identity = [], names = []] = [row.case, row.identity, row.names].map((paths) =>
    toList(paths).map(compileLookup),
  )
  const chat = row.chat === undefined ? () => null : compileLookup(row.chat)
  return (entry: JsonRecord, report: JsonRecord): readonly string[] => {
    const partsAmong = (lookups: readonly Lookup[]) =>
      lookups.map((lookup) => toPart(lookup(entry, report))).filter((part) => part !== null)
    // Ids of different senders may be equal.
    const id = partsAmong(ids)
    if (id.length > 0) return [row.name, ...id]
    const own = partsAmong(identity)
    if (own.length > 0) return [row.name, ...own]
    const said = toText(chat(entry, report))
    const texts = said === null ? partsAmong(names) : [said]
    const isError = texts.some((text) => looksThrown(toText(readTitle(text).exception) ?? ''))
    if (isError) return []
    return said === null ? texts.map(nameInText) : namesInChat(walkReport(entry), said)
  }
}

const graded = /^(?:warning|error|critical|alert|emergency|fatal|urgent|high|major|[ps](?:ev)?[0-2])$/

const isHarmless = (report: JsonRecord): boolean =>
  !graded.test(severityName(pick(report, 'severity', 'level')) ?? '') &&
  ![report['message'], report['msg'], report['text']].some((text) => describesFailure(text) || describesOutage(text))

const recognizerOf = ({ when, harmless }: Row): Format['recognizes'] => {
  const isOfSender = toCondition(when)
  return harmless ? (report) => isOfSender(report) && isHarmless(report) : (report) => isOfSender(report)
}

/** Compiles the reader of a row. */
export const compileRow = (row: Row): Format => {
  const [each, error, frames, state, failures] = [row.each, row.error, row.frames, row.state, row.failures].map(
    (path) => (path === undefined ? undefined : compileLookup(path)),
  )
  const lookups = compileFields(row)
  const labels = Object.entries(row.labels ?? {}).map(([name, path]) => [name, compileLookup(path)] as const)
  const keyOf = compileKey(row)
  const saysRecovered = recoveryIn(toList(row.says))
  const [isDropped, isRecovered, isFollowUp] = [row.drop, row.recovered, row.followUp].map(toCondition)

  const labelsOf = (entry: JsonRecord, report: JsonRecord): JsonRecord => {
    // Without a prototype, so that a label named `__proto__` is safe.
    const found: Found = Object.create(null)
    for (const [name, lookup] of labels) {
      const value = lookup(entry, report)
      if (name.startsWith('*')) Object.assign(found, labelsIn(value))
      else if (hasValue(value)) found[name] = value
    }
    return found
  }

  const addFields = (draft: Found, entry: JsonRecord, report: JsonRecord): void => {
    for (const [field, lookup] of lookups) {
      const value = lookup(entry, report)
      if (hasValue(value)) draft[field] = value
    }
    if (frames !== undefined) add(draft, { frames: readFrames(frames(entry, report), row.first) })
    if (labels.length > 0) draft['labels'] = labelsOf(entry, report)
    const key = keyOf(entry, report)
    if (key.length > 0) draft['fingerprint'] = key
  }

  const find = (entry: JsonRecord, report: JsonRecord): RecordDraft => {
    const draft: Found = {}
    if (row.guess) for (const guessed of generic.read(entry, report)) add(draft, guessed)
    if (error !== undefined) add(draft, readErrorObject(error(entry, report), row.first))
    addFields(draft, entry, report)
    return draft
  }

  const isQuiet = (entry: JsonRecord, report: JsonRecord, { message }: RecordDraft): boolean =>
    isFollowUp?.(entry, report) === true ||
    (failures !== undefined && ![message, failures(entry, report)].some(describesFailure))

  const hasState = state !== undefined || row.recovered !== undefined
  const hasRecovered = (entry: JsonRecord, report: JsonRecord): boolean =>
    recoveredState.test(toText(state?.(entry, report))?.trim() ?? '') || isRecovered?.(entry, report) === true

  return {
    name: row.name,
    recognizes: recognizerOf(row),
    ...(each === undefined ? {} : { split: (report: JsonRecord) => toObjects(each(report, report) ?? report) }),
    read: (entry, report) => {
      if (isDropped?.(entry, report)) return []
      const found = find(entry, report)
      return [
        withTitle({
          ...found,
          ...(isQuiet(entry, report, found) ? { severity: 'info' } : {}),
          ...(row.scale === undefined || found.severityScale ? {} : { severityScale: row.scale }),
          recovered:
            (hasState ? hasRecovered(entry, report) : found.recovered === true) || saysRecovered(entry, report),
        }),
      ]
    },
  }
}
