import { identifierAt, isRecord, isTrueAt, listAt, valueAt } from '../../../../untrusted/json-path.ts'
import { labelledField } from '../form-fields.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, oneLead } from './platform.ts'

/** Google Ads lead forms. The test button in the account sends a made-up person and `is_test`. */
export const googleAds: LeadPlatform = {
  name: 'google_ads',
  recognises: ({ body }) => Array.isArray(valueAt(body, 'user_column_data')),
  read: (body) => {
    const id = identifierAt(body, 'lead_id')
    if (isTrueAt(body, 'is_test') || valueAt(body, 'is_test') === 'true') return ignoring('test_lead', id)
    const fields = listAt(body, 'user_column_data').filter(isRecord).map(labelledField)
    return oneLead(personFrom(fields.filter((field) => field !== null)), id)
  },
}
