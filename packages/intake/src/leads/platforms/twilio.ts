import { identifierAt, lineAt, proseAt } from '../../sanitise/json-path.ts'
import { prose } from '../../sanitise/sanitise-text.ts'
import { phoneKey, writtenPhone } from '../contact-key.ts'
import { ignoring, type LeadPlatform, oneLead } from './platform.ts'

const idOf = (body: unknown) => identifierAt(body, 'MessageSid', 'SmsMessageSid', 'SmsSid')

/** A message by WhatsApp or SMS. The same address is often given for status callbacks, which name no received message. */
export const twilio: LeadPlatform = {
  name: 'twilio',
  notes: {
    title: 'Twilio, WhatsApp and SMS',
    recognisedBy: '`MessageSid` and `From`',
    read: 'profile name, number and text of a message',
    ignored: 'status callbacks',
  },
  recognises: ({ body }) => idOf(body) !== null && lineAt(body, 'AccountSid', 'From') !== null,
  read: (body) => {
    const status = lineAt(body, 'MessageStatus') ?? lineAt(body, 'SmsStatus') ?? 'received'
    const [from, text] = [lineAt(body, 'From') ?? '', proseAt(body, 'Body')]
    if (status !== 'received' && status !== 'receiving') return ignoring('status_update', idOf(body))
    const person = {
      name: lineAt(body, 'ProfileName'),
      email: null,
      phone: phoneKey(from) === null ? null : writtenPhone(from),
      company: null,
      message: text === null ? null : prose(text),
      answers: [],
    }
    return oneLead(person, idOf(body))
  },
}
