import { identifierAt, type JsonRecord, lineAt, listAt, recordAt } from '../../sanitise/json-path.ts'
import { ignoring, type LeadPlatform, leadFrom, remark } from './platform.ts'

const opening = new Set([
  'BOOKING_CREATED',
  'BOOKING_REQUESTED',
  'BOOKING_RESCHEDULED',
  'FORM_SUBMITTED',
  'FORM_SUBMITTED_NO_EVENT',
])
const closing = new Set(['BOOKING_CANCELLED', 'BOOKING_REJECTED'])

/** Older deliveries, and those of relays, have only the booking itself. */
const bookerOf = (booking: JsonRecord): JsonRecord => {
  const [responses, attendees] = [recordAt(booking, 'responses'), listAt(booking, 'attendees').slice(0, 1)]
  if (responses === null && attendees.length === 0) return booking
  return { responses, attendees, additionalNotes: booking['additionalNotes'] }
}

const readBooking = (booking: JsonRecord) =>
  leadFrom(bookerOf(booking), {
    id: identifierAt(booking, 'uid', 'formSubmissionId'),
    remarks: [...remark('Meeting', lineAt(booking, 'type', 'title')), ...remark('Time', lineAt(booking, 'startTime'))],
  })

export const calCom: LeadPlatform = {
  name: 'cal_com',
  notes: {
    title: 'Cal.com',
    recognisedBy: '`triggerEvent` and `payload`',
    read: '`responses` by their labels, else the first attendee or the booking itself; notes; the meeting and its time. The organiser is left out',
    ignored: 'cancelled and rejected bookings, and what happens in a meeting',
  },
  recognises: ({ body }) => lineAt(body, 'triggerEvent') !== null && recordAt(body, 'payload') !== null,
  read: (body) => {
    const event = lineAt(body, 'triggerEvent') ?? ''
    const booking = recordAt(body, 'payload') ?? {}
    if (opening.has(event)) return readBooking(booking)
    return ignoring(closing.has(event) ? 'cancelled' : 'not_a_lead', identifierAt(booking, 'uid'))
  },
}
