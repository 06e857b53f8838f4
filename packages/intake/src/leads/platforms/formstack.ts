import { identifierAt, type JsonRecord, lineAt } from '../../sanitise/json-path.ts'
import { mostFields } from '../bounded-lists.ts'
import { type LeadPlatform, leadFrom } from './platform.ts'

const longestComposed = 2_000

/** A field of several parts is one text: "first = John", a line end, "last = Smith". */
const partsOf = (value: unknown): unknown => {
  if (typeof value !== 'string' || value.length > longestComposed) return value
  const lines = value.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => line.split(' = '))
  const isComposed =
    lines.length > 0 && pairs.every(([name = '', ...rest]) => /^\w{1,30}$/.test(name) && rest.length > 0)
  return isComposed ? Object.fromEntries(pairs.map(([name = '', ...rest]) => [name, rest.join(' = ')])) : value
}

const composedBody = (body: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(body)
      .slice(0, 2 * mostFields)
      .filter(([key]) => key !== 'UniqueID')
      .map(([key, value]) => [key, partsOf(value)]),
  )

export const formstack: LeadPlatform = {
  name: 'formstack',
  notes: {
    title: 'Formstack',
    recognisedBy: '`FormID` and `UniqueID`',
    read: 'the fields by their names, also of several parts in one text',
  },
  recognises: ({ body }) => lineAt(body, 'FormID') !== null && identifierAt(body, 'UniqueID') !== null,
  read: (body) => leadFrom(composedBody(body), { id: identifierAt(body, 'UniqueID') }),
}
