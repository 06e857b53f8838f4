import {
  identifierAt,
  isRecord,
  type JsonRecord,
  lineAt,
  listAt,
  recordAt,
  valueAt,
} from '../../../../untrusted/json-path.ts'
import type { PlatformReading } from '../captured-lead.ts'
import { labelledField } from '../form-fields.ts'
import { personFrom } from '../person.ts'
import { combined, ignoring, type LeadPlatform, oneLead } from './platform.ts'

const hasFields = (lead: JsonRecord | null) => Array.isArray(valueAt(lead, 'field_data'))

/** Meta's test tool fills every field with "<test lead: dummy data for full_name>". */
const isDummy = (text: string) => text.startsWith('<test lead:')

/** A lead as the Graph API gives it, or as relays that fetched it pass it on. */
const readFieldData = (lead: JsonRecord, id: string | null): PlatformReading => {
  const fields = listAt(lead, 'field_data')
    .filter(isRecord)
    .map(labelledField)
    .filter((field) => field !== null)
  return fields.some(({ value }) => isDummy(value)) ? ignoring('test_lead', id) : oneLead(personFrom(fields), id)
}

/** The webhook itself says only that there is a lead; the person must be fetched with the page's token. */
const readChange = (change: unknown): PlatformReading => {
  if (lineAt(change, 'field') !== 'leadgen') return ignoring('not_a_lead')
  const value = recordAt(change, 'value')
  const id = identifierAt(value, 'leadgen_id', 'id')
  return value !== null && hasFields(value) ? readFieldData(value, id) : ignoring('details_not_included', id)
}

const changesOf = (body: JsonRecord) => listAt(body, 'entry').flatMap((entry) => listAt(entry, 'changes'))

const isLeadgen = (body: JsonRecord) => changesOf(body).some((change) => lineAt(change, 'field') === 'leadgen')

export const meta: LeadPlatform = {
  name: 'meta',
  recognises: ({ body }) =>
    hasFields(body) ||
    listAt(body, 'data').some((lead) => isRecord(lead) && hasFields(lead)) ||
    isLeadgen(body) ||
    /^(?:page|instagram)$/.test(lineAt(body, 'object') ?? ''),
  read: (body) => {
    if (hasFields(body)) return readFieldData(body, identifierAt(body, 'id', 'leadgen_id', 'lead_id'))
    const fetched = listAt(body, 'data').filter(isRecord).filter(hasFields)
    if (fetched.length > 0) return combined(fetched.map((lead) => readFieldData(lead, identifierAt(lead, 'id'))))
    const changes = changesOf(body)
    return changes.length === 0 ? ignoring('not_a_lead') : combined(changes.map(readChange))
  },
}
