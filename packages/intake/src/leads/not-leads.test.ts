import { expect, it } from 'vitest'
import type { IgnoredReason } from './captured-lead.ts'
import { readLeads } from './read-lead.ts'

const read = (body: unknown, source = 'website') =>
  readLeads({ source, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)) })
const readForm = (fields: Readonly<Record<string, string>>) =>
  readLeads({
    source: 'website',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
  })

const name = 'Ada Lovelace'
const email = 'ada@example.com'
const phone = '+442079460018'
const ours = '+12025550143'
const ada = { name, email, phone }

/** Bodies as the senders document them, shortened. */
const events: readonly (readonly [sender: string, reason: IgnoredReason, body: unknown])[] = [
  [
    'HubSpot, a changed property',
    'details_not_included',
    [{ subscriptionType: 'contact.propertyChange', objectId: 7, propertyName: 'email', propertyValue: email }],
  ],
  [
    'HubSpot, a deleted contact',
    'withdrawn',
    [{ subscriptionType: 'contact.deletion', objectId: 7, portalId: 1, eventId: 3 }],
  ],
  [
    'Mandrill, a bounce',
    'bounced',
    { mandrill_events: [{ event: 'hard_bounce', msg: { email, bounce_description: 'bad_mailbox' } }] },
  ],
  [
    'SendGrid, a delivery',
    'status_update',
    [{ email, event: 'delivered', sg_event_id: 'e', sg_message_id: 'm', response: '250 OK' }],
  ],
  [
    'SendGrid, a bounce',
    'bounced',
    [{ email, event: 'bounce', sg_event_id: 'e', reason: '550 5.1.1 unknown', status: '5.1.1' }],
  ],
  ['SendGrid, a spam complaint', 'unsubscribed', [{ email, event: 'spamreport', sg_event_id: 'e' }]],
  [
    'Postmark, a delivery',
    'status_update',
    { RecordType: 'Delivery', MessageID: 'm', Recipient: email, Details: 'Test delivery' },
  ],
  [
    'Postmark, a bounce',
    'bounced',
    {
      RecordType: 'Bounce',
      MessageID: 'm',
      Email: email,
      From: 'desk@example.net',
      Name: 'Hard bounce',
      Description: 'The server was unable to deliver your message.',
    },
  ],
  [
    'Postmark, an opened message',
    'status_update',
    { RecordType: 'Open', MessageID: 'm', Recipient: email, FirstOpen: true },
  ],
  [
    'Brevo, a delivery',
    'status_update',
    { event: 'delivered', email, id: 1, 'message-id': '<m>', subject: 'Hello', ts: 1 },
  ],
  [
    'Brevo, an unsubscription',
    'unsubscribed',
    { event: 'unsubscribe', email, camp_id: 5, 'campaign name': 'Spring', list_id: [3] },
  ],
  [
    'Mailgun, a failure',
    'bounced',
    { signature: { token: 't' }, 'event-data': { event: 'failed', severity: 'permanent', recipient: email } },
  ],
  [
    'Amazon SES, a bounce',
    'bounced',
    {
      notificationType: 'Bounce',
      bounce: { bouncedRecipients: [{ emailAddress: email }] },
      mail: { messageId: 'm', source: 'desk@example.net' },
    },
  ],
  [
    'Amazon SES over SNS, a complaint',
    'unsubscribed',
    {
      Type: 'Notification',
      TopicArn: 'arn',
      Message: JSON.stringify({ notificationType: 'Complaint', mail: { messageId: 'm' } }),
    },
  ],
  [
    'SparkPost, a bounce',
    'bounced',
    [{ msys: { message_event: { type: 'bounce', rcpt_to: email, raw_reason: '550 no user' } } }],
  ],
  [
    'Resend, a delivery',
    'status_update',
    { type: 'email.delivered', data: { email_id: 'e', from: 'Us <desk@example.net>', to: [email], subject: 'Hi' } },
  ],
  [
    'Customer.io, a click',
    'status_update',
    { event_id: 'e', object_type: 'email', metric: 'clicked', data: { recipient: email } },
  ],
  [
    'Klaviyo, an opened message',
    'status_update',
    { data: [{ topic: 'event:klaviyo.opened_email', payload: { profile: { email } } }], meta: { version: '1' } },
  ],
  [
    'Iterable, an unsubscription',
    'unsubscribed',
    { email, eventName: 'emailUnsubscribe', dataFields: { email, campaignId: 1 } },
  ],
  [
    'Twilio, an outbound call',
    'outbound_call',
    { CallSid: 'CA1', From: ours, To: phone, Direction: 'outbound-api', CallStatus: 'completed' },
  ],
  [
    'Aircall, an outbound call',
    'outbound_call',
    {
      resource: 'call',
      event: 'call.ended',
      token: 't',
      data: { direction: 'outbound', raw_digits: phone, user: { name: 'Bo', email: 'bo@example.net' }, comments: [] },
    },
  ],
  [
    'Vonage, a receipt',
    'status_update',
    { message_uuid: 'm', to: '442079460018', from: '12025550143', status: 'delivered', timestamp: 't' },
  ],
  ['Plivo, a receipt', 'status_update', { MessageUUID: 'm', From: ours, To: phone, Status: 'delivered' }],
  [
    'Telnyx, a receipt',
    'status_update',
    {
      data: {
        event_type: 'message.finalized',
        payload: { direction: 'outbound', from: { phone_number: ours }, to: [{ phone_number: phone }], text: 'Hi' },
      },
    },
  ],
  [
    'Telegram, an edited message',
    'not_a_message',
    { update_id: 1, edited_message: { from: { first_name: 'Ada' }, text: 'Hello!' } },
  ],
  [
    'Telegram, a bot that was blocked',
    'not_a_lead',
    { update_id: 1, my_chat_member: { from: { first_name: 'Ada' }, new_chat_member: { status: 'kicked' } } },
  ],
  [
    'Intercom, a reply of an admin',
    'echo',
    {
      type: 'notification_event',
      app_id: 'a',
      topic: 'conversation.admin.replied',
      data: { item: { user: ada, conversation_message: { body: 'Can I help?' } } },
    },
  ],
  [
    'Intercom, a closed conversation',
    'chat_ended',
    { type: 'notification_event', app_id: 'a', topic: 'conversation.admin.closed', data: { item: { user: ada } } },
  ],
  [
    'Crisp, a reply of an operator',
    'echo',
    {
      website_id: 'w',
      event: 'message:received',
      data: { from: 'operator', type: 'text', content: 'Hello!', user: { nickname: 'Bo' } },
    },
  ],
  ['Crisp, a removed session', 'chat_ended', { website_id: 'w', event: 'session:removed', data: { session_id: 's' } }],
  [
    'tawk.to, an ended chat',
    'chat_ended',
    { event: 'chat:end', chatId: 'c', visitor: { name, email }, property: { id: 'p', name: 'Our site' } },
  ],
  [
    'Drift, a reply of an employee',
    'echo',
    { orgId: 1, type: 'new_message', data: { body: 'Hi!', author: { type: 'user', id: 2 }, conversationId: 3 } },
  ],
  [
    'Chatwoot, a reply of an employee',
    'echo',
    {
      event: 'message_created',
      message_type: 'outgoing',
      content: 'Hi!',
      conversation: { id: 1, meta: { sender: ada } },
    },
  ],
  [
    'LiveChat, an ended chat',
    'chat_ended',
    { webhook_id: 'w', action: 'chat_deactivated', payload: { chat_id: 'c', user_id: 'desk@example.net' } },
  ],
  [
    'Zendesk, a reply of the business',
    'echo',
    {
      app: { id: 'a' },
      events: [
        {
          type: 'conversation:message',
          payload: { message: { author: { type: 'business' }, content: { text: 'Hi' } } },
        },
      ],
    },
  ],
  [
    'WhatsApp, a status',
    'status_update',
    {
      object: 'whatsapp_business_account',
      entry: [
        {
          changes: [
            { field: 'messages', value: { statuses: [{ id: 'w', status: 'read', recipient_id: '442079460018' }] } },
          ],
        },
      ],
    },
  ],
  [
    'Calendly, a cancellation',
    'cancelled',
    { event: 'invitee.canceled', payload: { name, email, cancellation: { reason: 'Busy' } } },
  ],
  [
    'Cal.com, a cancellation',
    'cancelled',
    { triggerEvent: 'BOOKING_CANCELLED', payload: { uid: 'b', attendees: [{ name, email }] } },
  ],
  // Senders that no row names: their events, directions, and authors follow conventions.
  [
    'MailerLite, an unsubscription',
    'unsubscribed',
    { type: 'subscriber.unsubscribed', data: { email, fields: { name } } },
  ],
  ['an unknown sender, a bounce', 'bounced', { event: 'contactHardBounced', data: { email } }],
  [
    'an unknown sender, a message that was sent',
    'echo',
    { event: 'sms.sent', sender: '12025550143', recipient: '442079460018' },
  ],
  [
    'an unknown sender, an outbound message',
    'echo',
    { data: { direction: 'outbound', from: ours, to: phone, body: 'It is your turn.' } },
  ],
  [
    'an unknown sender, an outbound call',
    'outbound_call',
    { type: 'call', direction: 'outbound', contact: ada, duration: 35 },
  ],
  [
    'an unknown sender, an assigned chat',
    'chat_ended',
    { event: 'chat_assigned', visitor: { name, email }, agent: { name: 'Bo' } },
  ],
  [
    'an unknown sender, a reply of an agent',
    'echo',
    { event: 'new_message', conversation_id: 5, sender: { type: 'agent', name: 'Bo' }, text: 'Hello!', visitor: ada },
  ],
  ['an unknown sender, a no-show', 'cancelled', { event: 'appointment.no_show', data: ada }],
  ['a bot that filled in a hidden field', 'honeypot', { ...ada, message: 'Buy!', _gotcha: 'https://spam.example' }],
  ['a bot in a form of Netlify', 'honeypot', { id: 'n', human_fields: {}, data: { ...ada, 'bot-field': 'x' } }],
  ['a submission marked as spam', 'spam', { ...ada, message: 'Buy!', is_spam: true }],
  [
    'an entry with the status of spam',
    'spam',
    { form_id: 1, date_created: 'd', status: 'spam', '1.3': 'Ada', 2: email },
  ],
]

it.each(events)('%s is skipped: %s', (_, reason, body) => {
  const reading = read(body)
  expect(reading.leads).toEqual([])
  expect(reading.ignored.map((ignored) => ignored.reason)).toEqual([reason])
})

/** Mailchimp, ActiveCampaign, and Twilio send forms. */
it.each<[string, IgnoredReason, Record<string, string>]>([
  [
    'Mailchimp, an unsubscription',
    'unsubscribed',
    { type: 'unsubscribe', fired_at: 't', 'data[list_id]': 'l', 'data[email]': email },
  ],
  [
    'Mailchimp, a cleaned address',
    'bounced',
    { type: 'cleaned', fired_at: 't', 'data[list_id]': 'l', 'data[email]': email },
  ],
  [
    'ActiveCampaign, an unsubscription',
    'unsubscribed',
    { type: 'unsubscribe', initiated_from: 'public', 'contact[email]': email, 'contact[first_name]': 'Ada' },
  ],
  [
    'ActiveCampaign, an opened message',
    'status_update',
    { type: 'open', initiated_from: 'public', 'contact[email]': email },
  ],
  [
    'Twilio, a receipt',
    'status_update',
    { MessageSid: 'SM1', AccountSid: 'AC1', From: ours, To: phone, MessageStatus: 'delivered' },
  ],
])('%s is skipped: %s', (_, reason, fields) => {
  expect(readForm(fields)).toMatchObject({ leads: [], ignored: [{ reason }] })
})

const message = 'Do you ship to Leeds?'

/** Whatever an event is called, whoever wrote a message is a lead. So is everybody who only mentions such a word. */
it.each<[string, unknown]>([
  ['a message about unsubscribing', { ...ada, message: 'Please unsubscribe me from the newsletter.' }],
  ['a message about a delivery', { ...ada, message: 'My parcel was never delivered, the mail bounced.' }],
  ['a message to an operator', { ...ada, message: 'Can an operator call me?' }],
  ['an empty honeypot', { ...ada, message, honeypot: '', _gotcha: null, 'bot-field': 'false' }],
  ['a spam filter that found nothing', { ...ada, message, is_spam: false, spam: '0' }],
  ['a company named Bounce', { ...ada, company: 'Bounce', type: 'Bounce' }],
  ['a person with the status opened', { ...ada, status: 'opened' }],
  ['a request of a delivery', { event: 'delivery_request.created', data: ada }],
  ['a delivered order', { event: 'order.delivered', customer: ada }],
  ['an opened ticket', { event: 'ticket.opened', requester: { name, email }, ticket: { message } }],
  ['an opened conversation', { event: 'conversation.opened', contact: ada }],
  ['a tour operator', { event: 'tour_operator_inquiry', sender: { name, email, kind: 'operator of tours' }, message }],
  ['an event that a person chose', { event: 'Delivery status', ...ada }],
  ['a topic that a person chose', { topic: 'unsubscribe', ...ada, message }],
  ['a message in the event of a receipt', { event: 'message.delivered', from: { name, email }, message }],
  ['a message in the event of a bounce', { type: 'email.bounced', name, email, message }],
  ['a message in a closed chat', { event: 'chat.closed', visitor: { name, email }, messages: [{ text: message }] }],
  ['a deleted contact who wrote', { event: 'contact.deleted', data: { ...ada, message } }],
  ['a callback that is asked for', { type: 'callback_request', direction: 'outbound', ...ada, message }],
  [
    'an inbound call',
    { event: 'call.ended', direction: 'inbound', from: phone, to: ours, caller_name: name, duration: 60 },
  ],
  ['an inbound text', { event: 'message.received', direction: 'inbound', from: phone, to: ours, text: message }],
  [
    'a message to a bot',
    { event: 'message_created', message_type: 'incoming', content: message, conversation: { id: 1 }, sender: ada },
  ],
  [
    'a reply of a user in Intercom',
    { type: 'notification_event', app_id: 'a', topic: 'conversation.user.replied', data: { item: { user: ada } } },
  ],
  ['a new subscriber', { type: 'subscriber.created', data: { email, fields: { name } } }],
  ['a person who subscribed again', { event: 'contact_resubscribed', contact: ada }],
  ['a booking', { event: 'appointment.booked', data: { ...ada, notes: 'I may have to cancel.' } }],
  ['a form with a field for the sender', { sent_from: 'Landing page', ...ada, action: 'sent' }],
])('%s is a lead', (_, body) => {
  const reading = read(body)
  expect(reading.ignored).toEqual([])
  expect(reading.leads).toHaveLength(1)
  const [lead] = reading.leads
  expect(lead?.email ?? lead?.phone).toBeOneOf([email, phone])
})
