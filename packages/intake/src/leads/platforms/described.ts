import { compileConditions, compileLookup, hasValue, type Lookup } from '../../paths/paths.ts'
import { identifierAt, isRecord, type JsonRecord } from '../../sanitise/json-path.ts'
import { answerText } from '../answer-text.ts'
import { mostLeads } from '../bounded-lists.ts'
import type { IgnoredReason } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labelled-field.ts'
import { isAnybody, personFrom } from '../person.ts'
import { ignoring, type LeadReader, leadOf } from './reader.ts'
import table from './table.json' with { type: 'json' }

/** Where one platform puts the person. Paths and conditions are written in the grammar of `paths/paths.ts`. */
type Row = {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly when?: readonly string[]
  /** The body also needs a key that matches. */
  readonly key?: string
  /** The row applies only to this lead source. */
  readonly source?: string
  /** Lists whose entries are one inquiry each; the first that has any counts. */
  readonly each?: readonly string[]
  readonly skip?: Readonly<Partial<Record<IgnoredReason, readonly string[]>>>
  /** The parts that hold the fields of the person; `.` is the whole entry. */
  readonly person?: readonly string[]
  /** Single fields: label, path, and an optional condition. */
  readonly fields?: readonly (readonly string[])[]
  /** What an inquiry is about: question and path. */
  readonly remarks?: readonly (readonly string[])[]
  /** Fields to drop or to keep by their question. If none is to be kept, all are. */
  readonly drop?: string
  readonly keep?: string
  /** Labels for keys that are numbers: key, label, and a key that must not stand beside it. */
  readonly rename?: readonly (readonly string[])[]
  readonly id: string
  /** The reason to skip an entry in which no person is found. */
  readonly nobody?: IgnoredReason
}

/** `entry[].changes[]`: every entry of the inner lists. */
const entriesReader = (path: string) => {
  const steps = path
    .split('[]')
    .filter((step) => step !== '')
    .map((step) => compileLookup(step.replace(/^\./, '')))
  const listIn = (entry: unknown, find: Lookup): readonly unknown[] => {
    const list = find(entry)
    return Array.isArray(list) ? list.slice(0, mostLeads) : []
  }
  return (body: unknown): readonly JsonRecord[] =>
    steps
      .reduce<readonly unknown[]>((entries, find) => entries.flatMap((entry) => listIn(entry, find)), [body])
      .filter(isRecord)
}

/** The fields of several parts stand in one object, so that they are read together. */
const partsReader = (paths: readonly string[]) => {
  const parts = paths.map((path) => ({
    key: path.split('.').findLast((step) => /^[a-z]/i.test(step)) ?? '',
    find: lookupOf(path),
  }))
  return (entry: JsonRecord): readonly FormField[] => {
    const found = parts.map(({ key, find }) => [key, find(entry)] as const).filter(([, value]) => hasValue(value))
    const [only] = found
    const isAlone = found.length === 1 && only !== undefined && isRecord(only[1])
    return collectFields(isAlone ? only[1] : Object.fromEntries(found))
  }
}

const lookupOf = (path: string): Lookup => {
  const lookups = path.split(' | ').map((one) => (one === '.' ? (entry: unknown) => entry : compileLookup(one)))
  return (entry) => lookups.map((lookup) => lookup(entry)).find(hasValue)
}

const singleFields = (fields: readonly (readonly string[])[], isRemark: boolean) => {
  const readers = fields.map(([question = '', path = '', condition]) => ({
    question,
    find: compileLookup(path),
    holds: condition === undefined ? () => true : compileConditions([condition]),
  }))
  return (entry: JsonRecord): readonly FormField[] =>
    readers.flatMap(({ question, find, holds }) => {
      const value = holds(entry) ? answerText(find(entry)) : null
      return value === null ? [] : { labels: isRemark ? [] : [question], question, value }
    })
}

const renamer = (names: readonly (readonly string[])[]) => {
  const rules = names.map(([key = '', label = '', other = '']) => ({ pattern: new RegExp(key), label, other }))
  return (fields: readonly FormField[]): readonly FormField[] => {
    const keys = new Set(fields.map(({ place }) => place?.key))
    return fields.map((field) => {
      const key = field.place?.key ?? ''
      const rule = rules.find(({ pattern, other }) => pattern.test(key) && !keys.has(key.replace(pattern, other)))
      return rule === undefined ? field : { ...field, labels: [rule.label], question: rule.label }
    })
  }
}

const chooser = ({ drop, keep }: Row) => {
  const [dropped, kept] = [drop, keep].map((pattern) => (pattern === undefined ? null : new RegExp(pattern)))
  return (fields: readonly FormField[]): readonly FormField[] => {
    const chosen = fields.filter(({ question }) => kept?.test(question))
    return chosen.length > 0 ? chosen : fields.filter(({ question }) => !dropped?.test(question))
  }
}

const readerOf = (row: Row): LeadReader => {
  const when = row.when ?? []
  const [holds, key] = [compileConditions(when), row.key === undefined ? null : new RegExp(row.key)]
  const skips = Object.entries(row.skip ?? {}).map(([reason, when]) => ({
    reason: reason as IgnoredReason,
    holds: compileConditions(when),
  }))
  const parts = partsReader(row.person ?? [])
  const [single, remarks] = [singleFields(row.fields ?? [], false), singleFields(row.remarks ?? [], true)]
  const [renamed, chosen] = [renamer(row.rename ?? []), chooser(row)]
  const lists = (row.each ?? []).map(entriesReader)
  const findId = compileLookup(row.id)
  return {
    name: row.name,
    title: row.title,
    about: row.about,
    recognizedBy:
      row.source === undefined
        ? when.map((condition) => `\`${condition}\``).join(' or ')
        : `the source \`${row.source}\``,
    recognizes: (body, source) =>
      (row.source === undefined || row.source === source) &&
      (when.length === 0 || holds(body)) &&
      (key === null || Object.keys(lookupOf(row.person?.[0] ?? '')(body) ?? {}).some((one) => key.test(one))),
    split: (body) => {
      return lists.map((entriesIn) => entriesIn(body)).find((entries) => entries.length > 0) ?? [body]
    },
    read: (entry) => {
      const id = identifierAt({ id: findId(entry) }, 'id')
      const skip = skips.find(({ holds }) => holds(entry))
      if (skip !== undefined) return ignoring(skip.reason, id)
      const person = personFrom([...chosen(renamed(parts(entry))), ...single(entry), ...remarks(entry)])
      return row.nobody !== undefined && !isAnybody(person) ? ignoring(row.nobody, id) : leadOf(person, id)
    },
  }
}

export const describedReaders: readonly LeadReader[] = (table as readonly Row[]).map(readerOf)
