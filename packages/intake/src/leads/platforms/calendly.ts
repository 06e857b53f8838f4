import { identifierAt, type JsonRecord, lineAt, recordAt } from '../../sanitise/json-path.ts'
import { answerText } from '../answer-text.ts'
import { fieldsAt } from '../bounded-lists.ts'
import type { FormField } from '../labelled-field.ts'
import { personFrom } from '../person.ts'
import { ignoring, type LeadPlatform, oneLead, remark } from './platform.ts'

const detailsOf = (invitee: JsonRecord | null, labels: Readonly<Record<string, string>>): readonly FormField[] =>
  Object.entries(labels).flatMap(([key, label]) => {
    const value = lineAt(invitee, key)
    return value === null ? [] : [{ labels: [label], question: label, value }]
  })

const inviteeLabels = {
  name: 'name',
  first_name: 'first name',
  last_name: 'last name',
  email: 'email',
  text_reminder_number: 'phone',
}

const answersOf = (payload: JsonRecord): readonly FormField[] =>
  fieldsAt(payload, 'questions_and_answers').flatMap((entry) => {
    const [question, value] = [lineAt(entry, 'question'), answerText(entry['answer'])]
    return question === null || value === null ? [] : [{ labels: [question], question, value }]
  })

/** Where the host calls the invitee, the place of the meeting is the invitee's number. */
const calledNumber = (payload: JsonRecord): readonly FormField[] =>
  lineAt(payload, 'scheduled_event.location.type') === 'outbound_call'
    ? detailsOf(recordAt(payload, 'scheduled_event.location'), { location: 'phone' })
    : []

const meetingOf = (payload: JsonRecord) => [
  ...remark('Meeting', lineAt(payload, 'scheduled_event.name', 'event_type.name')),
  ...remark('Time', lineAt(payload, 'scheduled_event.start_time', 'event.invitee_start_time', 'event.start_time')),
]

/** The guests and hosts of a meeting are other people. An invitee has a URI in version 2 and a UUID in version 1. */
const readInvitee = (payload: JsonRecord) => {
  const invitee = recordAt(payload, 'invitee') ?? payload
  const answers = [invitee, ...(invitee === payload ? [] : [payload])].flatMap(answersOf)
  const fields = [...detailsOf(invitee, inviteeLabels), ...answers, ...calledNumber(payload)]
  return oneLead(personFrom([...fields, ...meetingOf(payload)]), identifierAt(invitee, 'uri', 'uuid'))
}

export const calendly: LeadPlatform = {
  name: 'calendly',
  notes: {
    title: 'Calendly, v1 and v2',
    recognisedBy: '`event` beginning with `invitee` or `routing_form_submission`, and `payload`',
    read: 'the invitee (`payload.invitee` in v1): name, e-mail, reminder number; questions and answers; the meeting and its time. Hosts and guests are left out',
    ignored: 'cancelled meetings and no-shows',
  },
  recognises: ({ body }) =>
    /^(?:invitee|routing_form_submission)/.test(lineAt(body, 'event') ?? '') && recordAt(body, 'payload') !== null,
  read: (body) => {
    const payload = recordAt(body, 'payload') ?? {}
    const event = lineAt(body, 'event') ?? ''
    if (event.endsWith('.created') && !event.includes('no_show')) return readInvitee(payload)
    return ignoring(event.endsWith('.canceled') ? 'cancelled' : 'not_a_lead', identifierAt(payload, 'uri'))
  },
}
