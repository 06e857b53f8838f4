import { identifierAt, type JsonRecord, lineAt, listAt } from '../../sanitize/json-path.ts'
import { answerText } from '../answer-text.ts'
import { fieldsAt } from '../bounds.ts'
import type { FormField } from '../labeled-field.ts'
import { personFrom } from '../person.ts'
import { type LeadReader, toLead } from './reader.ts'

type Titled = { readonly id: string; readonly title: string; readonly type: string | null }

/** A name has two fields, whose labels ("First", "Last") need the title above them. */
const titledFields = (body: JsonRecord): readonly Titled[] =>
  fieldsAt(body, 'FieldStructure.Fields').flatMap((field) => {
    const [title, type] = [lineAt(field, 'Title') ?? 'Answer', lineAt(field, 'Type')]
    const parts = fieldsAt(field, 'SubFields').slice(0, 10)
    const ids = parts.length === 0 ? [{ ID: field['ID'], Label: '' }] : parts
    return ids.flatMap((part) => {
      const id = lineAt(part, 'ID')
      return id === null ? [] : [{ id, title: `${title} ${lineAt(part, 'Label') ?? ''}`.trim(), type }]
    })
  })

const valuesOf = (body: JsonRecord): ReadonlyMap<string, unknown> => {
  const listed = fieldsAt(body, 'Fields')
  const pairs = listed.map((field) => [lineAt(field, 'ID') ?? '', field['Value']] as const)
  return new Map<string, unknown>(pairs.length === 0 ? Object.entries(body) : pairs)
}

const fieldsOf = (body: JsonRecord): readonly FormField[] => {
  const values = valuesOf(body)
  return titledFields(body).flatMap(({ id, title, type }) => {
    const value = answerText(values.get(id))
    const labels = type === 'email' || type === 'phone' ? [title, type] : [title]
    return value === null ? [] : [{ labels, question: title, value }]
  })
}

/** Fields are numbered. Their titles are in `FieldStructure`, which Wufoo sends if it is configured to. */
export const wufoo: LeadReader = {
  name: 'Wufoo, with field structures',
  recognizedBy: ['FieldStructure'],
  about: '`Field1`, `Field2`, … by their titles in `FieldStructure`',
  recognizes: (body) => listAt(body, 'FieldStructure.Fields').length > 0,
  read: (body) => toLead(personFrom(fieldsOf(body)), identifierAt(body, 'EntryId')),
}
