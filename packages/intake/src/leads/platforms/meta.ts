import { identifierAt, isRecord, type JsonRecord, lineAt, recordAt, valueAt } from '../../sanitise/json-path.ts'
import { entriesAt, fieldsAt } from '../bounded-lists.ts'
import type { PlatformReading } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import { labelledField } from '../labelled-field.ts'
import { hasContact } from '../object-kind.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, leadFrom, oneLead, readEach } from './platform.ts'

const hasFields = (lead: JsonRecord | null) => typeof (valueAt(lead, 'field_data') ?? undefined) === 'object'

/** Meta's test tool fills every field with "<test lead: dummy data for full_name>". */
const isDummy = (text: string) => text.startsWith('<test lead:')

const listedFields = (lead: JsonRecord) =>
  fieldsAt(lead, 'field_data')
    .map(labelledField)
    .filter((field) => field !== null)

/** A lead as the Graph API gives it, or as relays that fetched it pass it on. */
const readFieldData = (lead: JsonRecord, id: string | null): PlatformReading => {
  const named = recordAt(lead, 'field_data')
  const fields = named === null ? listedFields(lead) : collectFields(named)
  return fields.some(({ value }) => isDummy(value)) ? ignoring('test_lead', id) : oneLead(personFrom(fields), id)
}

const ownKeys = /^(?:\w+_id|created_time)$/

/** Relays that fetched the details may put them beside the ids. */
const withoutIds = (value: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !ownKeys.test(key)))

/** The webhook itself says only that there is a lead; the person must be fetched with the page's token. */
const readChange = (change: unknown): PlatformReading => {
  if (lineAt(change, 'field') !== 'leadgen') return ignoring('not_a_lead')
  const value = recordAt(change, 'value')
  const id = identifierAt(value, 'leadgen_id', 'id')
  if (value !== null && hasFields(value)) return readFieldData(value, id)
  return value !== null && hasContact(value)
    ? leadFrom(withoutIds(value), { id })
    : ignoring('details_not_included', id)
}

const changesOf = (body: JsonRecord) => entriesAt(body, 'entry').flatMap((entry) => entriesAt(entry, 'changes'))

const isLeadgen = (body: JsonRecord) => changesOf(body).some((change) => lineAt(change, 'field') === 'leadgen')

export const meta: LeadPlatform = {
  name: 'meta',
  notes: {
    title: 'Meta lead ads',
    recognisedBy: '`field_data`; `object: page`; a change of the field `leadgen`',
    read: '`field_data`, when the details were fetched; as a list or, from relays, as an object. Leads that Zapier, Make or n8n flattened are read as a form',
    ignored: 'the webhook itself, which names leads by `leadgen_id` only; leads of the test tool; messages of the page',
  },
  recognises: ({ body }) =>
    hasFields(body) ||
    entriesAt(body, 'data').some((lead) => isRecord(lead) && hasFields(lead)) ||
    isLeadgen(body) ||
    /^(?:page|instagram)$/.test(lineAt(body, 'object') ?? ''),
  read: (body) => {
    if (hasFields(body)) return readFieldData(body, identifierAt(body, 'id', 'leadgen_id', 'lead_id'))
    const fetched = entriesAt(body, 'data').filter(isRecord).filter(hasFields)
    if (fetched.length > 0) return readEach(fetched, (lead) => readFieldData(lead, identifierAt(lead, 'id')))
    const changes = changesOf(body)
    return changes.length === 0 ? ignoring('not_a_lead') : readEach(changes, readChange)
  },
}
