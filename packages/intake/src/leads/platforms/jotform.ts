import { identifierAt, isRecord, type JsonRecord, lineAt, recordAt } from '../../sanitise/json-path.ts'
import { mostFields } from '../bounded-lists.ts'
import { type LeadPlatform, leadFrom, remark } from './platform.ts'

/** An older field for telephone numbers has two boxes. */
const joinedNumber = (value: unknown): unknown => {
  const [area, phone] = [identifierAt(value, 'area'), identifierAt(value, 'phone')]
  return area === null || phone === null ? value : `${area}${phone}`
}

const named = /^q\d+_(.+)$/

/** `q3_fullName3` is the field `fullName3`; what has no number is Jotform's own. */
const answersOf = (request: JsonRecord): JsonRecord => {
  const answers = Object.entries(request)
    .filter(([key]) => named.test(key))
    .slice(0, mostFields)
  if (answers.length === 0) return request
  return Object.fromEntries(answers.map(([key, value]) => [named.exec(key)?.[1] ?? key, joinedNumber(value)]))
}

export const jotform: LeadPlatform = {
  name: 'jotform',
  notes: {
    title: 'Jotform',
    recognisedBy: '`rawRequest` with `formID`, in a form of either kind or in JSON',
    read: 'the numbered fields of `rawRequest` by their names; the form’s title as an answer',
  },
  recognises: ({ body }) => isRecord(body['rawRequest']) && identifierAt(body, 'formID', 'submissionID') !== null,
  read: (body) =>
    leadFrom(answersOf(recordAt(body, 'rawRequest') ?? {}), {
      id: identifierAt(body, 'submissionID'),
      remarks: remark('Form', lineAt(body, 'formTitle')),
    }),
}
