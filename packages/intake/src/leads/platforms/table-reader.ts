import { compileConditions, compileLookup, hasValue, type Lookup } from '../../paths/paths.ts'
import { identifierAt, isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { answerText } from '../answer-text.ts'
import { maxEntries } from '../bounds.ts'
import type { IgnoredReason } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import type { FormField } from '../labeled-field.ts'
import { isIdentified, personFrom } from '../person.ts'
import { ignoring, type LeadReader, toLead } from './reader.ts'
import table from './table.json' with { type: 'json' }

/** Where one platform puts the person. Paths and conditions use the grammar of `paths/paths.ts`. */
type Row = {
  readonly name: string
  readonly about: string
  readonly when: readonly string[]
  /** The row applies only to this lead source. */
  readonly source?: string
  /** Lists whose entries are one inquiry each; the first that has any counts. */
  readonly each?: readonly string[]
  readonly skip?: Readonly<Partial<Record<IgnoredReason, readonly string[]>>>
  /** The parts that hold the fields of the person; `.` is the whole entry. */
  readonly person?: readonly string[]
  /** Single fields and remarks: label, path, and an optional condition. */
  readonly fields?: readonly (readonly string[])[]
  /** Conditions on a field of `person`, which tell those that belong to the platform. */
  readonly drop?: readonly string[]
  /** Labels for keys that end in a number: label, condition on a field, and the number of a key that must be absent. */
  readonly rename?: readonly (readonly string[])[]
  readonly id: string
  /** The reason to skip an entry in which no person is found. */
  readonly unidentified?: IgnoredReason
}

/** `entry[].changes[]`: every entry of the inner lists. */
const entriesReader = (path: string) => {
  const steps = path.split('[]').slice(0, -1).map(compileLookup)
  const listIn = (entry: unknown, find: Lookup): readonly unknown[] => {
    const list = find(entry)
    return Array.isArray(list) ? list.slice(0, maxEntries) : []
  }
  return (body: unknown): readonly JsonRecord[] =>
    steps
      .reduce<readonly unknown[]>((entries, find) => entries.flatMap((entry) => listIn(entry, find)), [body])
      .filter(isRecord)
}

/** Several parts are read together, as one object. */
const partsReader = (paths: readonly string[]) => {
  const parts = paths.map((path) => ({ key: path.slice(path.lastIndexOf('.') + 1), find: compileLookup(path) }))
  return (entry: JsonRecord): readonly FormField[] => {
    const found = parts.map(({ key, find }) => [key, find(entry)] as const).filter(([, value]) => hasValue(value))
    const only = found.length === 1 ? found[0]?.[1] : undefined
    return collectFields(isRecord(only) ? only : Object.fromEntries(found))
  }
}

const singleFields = (fields: readonly (readonly string[])[]) => {
  const readers = fields.map(([question = '', path = '', condition]) => ({
    question,
    find: compileLookup(path),
    holds: condition === undefined ? () => true : compileConditions([condition]),
  }))
  return (entry: JsonRecord): readonly FormField[] =>
    readers.flatMap(({ question, find, holds }) => {
      const value = holds(entry) ? answerText(find(entry)) : null
      return value === null ? [] : { labels: [question], question, value }
    })
}

const renamer = (names: readonly (readonly string[])[]) => {
  const rules = names.map(([label = '', when = '', other]) => ({ label, holds: compileConditions([when]), other }))
  return (fields: readonly FormField[]): readonly FormField[] => {
    const keys = new Set(fields.map(({ location }) => location?.key))
    return fields.map((field) => {
      const key = field.location?.key ?? ''
      const rule = rules.find(({ holds, other }) => holds(field) && !keys.has(`${key.slice(0, -1)}${other}`))
      return rule === undefined ? field : { ...field, labels: [rule.label], question: rule.label }
    })
  }
}

const compileRow = (row: Row): LeadReader => {
  const holds = compileConditions(row.when)
  const skips = Object.entries(row.skip ?? {}).map(([reason, when]) => ({
    reason: reason as IgnoredReason,
    holds: compileConditions(when),
  }))
  const [parts, single, renamed] = [
    partsReader(row.person ?? []),
    singleFields(row.fields ?? []),
    renamer(row.rename ?? []),
  ]
  const isDropped = compileConditions(row.drop ?? [])
  const lists = (row.each ?? []).map(entriesReader)
  const findId = compileLookup(row.id)
  return {
    name: row.name,
    about: row.about,
    recognizedBy: [...(row.source === undefined ? [] : [`source ${row.source}`]), ...row.when],
    recognizes: (body, source) => (row.source === undefined || row.source === source) && holds(body),
    split: (body) => lists.map((list) => list(body)).find((entries) => entries.length > 0) ?? [body],
    read: (entry) => {
      const id = identifierAt({ id: findId(entry) }, 'id')
      const skip = skips.find(({ holds }) => holds(entry))
      if (skip !== undefined) return ignoring(skip.reason, id)
      const fields = renamed(parts(entry)).filter((field) => !isDropped(field))
      const person = personFrom([...fields, ...single(entry)])
      return row.unidentified !== undefined && !isIdentified(person)
        ? ignoring(row.unidentified, id)
        : toLead(person, id)
    },
  }
}

export const describedReaders: readonly LeadReader[] = (table as readonly Row[]).map(compileRow)
