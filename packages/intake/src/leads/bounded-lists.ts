import { isRecord, type JsonRecord, listAt } from '../sanitise/json-path.ts'

/** As many people one delivery may tell of. */
export const mostLeads = 100

/** As many fields one person may have filled in. */
export const mostFields = 200

/** A hundred leads of a hundred values. Building the objects of a body costs more than reading them. */
export const mostValues = 10_000

/** The objects of a list of fields, answers or questions. */
export const fieldsAt = (source: unknown, path: string): readonly JsonRecord[] =>
  listAt(source, path).slice(0, mostFields).filter(isRecord)

/** The entries of a list of people, messages or changes. */
export const entriesAt = (source: unknown, path: string): readonly unknown[] => listAt(source, path).slice(0, mostLeads)
