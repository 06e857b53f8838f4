import { identifierAt, isRecord, type JsonRecord, listAt } from '../../../../untrusted/json-path.ts'
import type { PlatformReading } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import { isAnybody, personFrom } from '../person.ts'
import { combined, ignoring, type LeadPlatform, oneLead } from './platform.ts'

const idOf = (body: JsonRecord) => identifierAt(body, 'lead_id', 'lead.lead_id', 'lead.id', 'data.lead_id', 'id')

const ids = /(?:^|[ _])(?:id|ids|time|timestamp)$/i

const readOne = (body: JsonRecord): PlatformReading => {
  const person = personFrom(collectFields(body).filter(({ question }) => !ids.test(question)))
  return isAnybody(person) ? oneLead(person, idOf(body)) : ignoring('details_not_included', idOf(body))
}

/** TikTok publishes no fixed shape: fields come flat, under `lead`, or as a list of field and value, per entry or once. */
export const tiktok: LeadPlatform = {
  name: 'tiktok',
  recognises: ({ source }) => source === 'tiktok',
  read: (body) => {
    const entries = listAt(body, 'entry').filter(isRecord)
    return entries.length === 0 ? readOne(body) : combined(entries.map(readOne))
  },
}
