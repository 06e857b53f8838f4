import { identifierAt, isRecord, type JsonRecord, lineAt } from '../../sanitise/json-path.ts'
import { entriesAt } from '../bounded-lists.ts'
import type { PlatformReading } from '../captured-lead.ts'
import { collectFields } from '../form-fields.ts'
import { isAnybody, personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, oneLead, readEach } from './platform.ts'

const idOf = (body: JsonRecord) => identifierAt(body, 'lead_id', 'lead.lead_id', 'lead.id', 'data.lead_id', 'id')

const ids = /(?:^|[ _])(?:id|ids|time|timestamp)$/i

/** Events of the same portal that tell nothing of a lead: `video.publish.completed`, `authorization.removed`. */
const isOtherEvent = (body: JsonRecord) =>
  /^(?:video|authorization|portability|post)\./.test(lineAt(body, 'event') ?? '')

const readOne = (body: JsonRecord): PlatformReading => {
  const person = personFrom(collectFields(body).filter(({ question }) => !ids.test(question)))
  return isAnybody(person) ? oneLead(person, idOf(body)) : ignoring('details_not_included', idOf(body))
}

/** TikTok publishes no fixed shape: fields come flat, under `lead`, or as a list of field and value, per entry or once. */
export const tiktok: LeadPlatform = {
  name: 'tiktok',
  notes: {
    title: 'TikTok',
    recognisedBy: 'the address `leads/tiktok`',
    read: 'fields that stand flat, under `lead`, per `entry`, or in lists of field and value',
    ignored: 'an id without details; events of videos and accounts',
  },
  recognises: ({ source }) => source === 'tiktok',
  read: (body) => {
    if (isOtherEvent(body)) return ignoring('not_a_lead')
    const entries = entriesAt(body, 'entry').filter(isRecord)
    return entries.length === 0 ? readOne(body) : readEach(entries, readOne)
  },
}
