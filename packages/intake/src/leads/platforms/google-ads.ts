import { identifierAt, isTrueAt, valueAt } from '../../sanitise/json-path.ts'
import { fieldsAt } from '../bounded-lists.ts'
import { labelledField } from '../labelled-field.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, oneLead } from './platform.ts'

/** Google Ads lead forms. The test button in the account sends a made-up person and `is_test`. */
export const googleAds: LeadPlatform = {
  name: 'google_ads',
  notes: {
    title: 'Google Ads lead form',
    recognisedBy: '`user_column_data`',
    read: 'the columns by their ids; the shared secret is `google_key` in the body',
    ignored: '`is_test`',
  },
  recognises: ({ body }) => Array.isArray(valueAt(body, 'user_column_data')),
  read: (body) => {
    const id = identifierAt(body, 'lead_id')
    if (isTrueAt(body, 'is_test') || valueAt(body, 'is_test') === 'true') return ignoring('test_lead', id)
    const fields = fieldsAt(body, 'user_column_data').map(labelledField)
    return oneLead(personFrom(fields.filter((field) => field !== null)), id)
  },
}
