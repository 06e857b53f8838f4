import { expect, it } from 'vitest'
import { readLeads } from '../read-lead.ts'
import { formSenders } from './form.ts'

type Sent = { readonly body: string; readonly type: string }

const json = (body: unknown): Sent => ({ body: JSON.stringify(body), type: 'application/json' })
const form = (fields: Record<string, string>): Sent => ({
  body: new URLSearchParams(fields).toString(),
  type: 'application/x-www-form-urlencoded',
})
const multipart = (fields: Record<string, string>): Sent => ({
  body: `${Object.entries(fields)
    .map(([name, value]) => `--X\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--X--\r\n`,
  type: 'multipart/form-data; boundary=X',
})

const email = 'ada@example.com'
const phone = '+44 20 7946 0018'

/** The same person, as each sender tells of her. */
const bodies: Record<string, Sent> = {
  'Cognito Forms': json({
    Form: { Id: '4', Name: 'Contact Us' },
    Name: { First: 'Ada', Last: 'Lovelace', Prefix: null },
    Email: email,
    Phone: phone,
  }),
  'Contact Form 7': form({ 'your-name': 'Ada Lovelace', 'email-332': email, 'tel-118': phone, _wpcf7: '5' }),
  Elementor: form({
    'form[name]': 'New Form',
    'fields[name][title]': 'Name',
    'fields[name][value]': 'Ada Lovelace',
    'fields[email][title]': 'Email',
    'fields[email][value]': email,
    'fields[field_7][type]': 'tel',
    'fields[field_7][title]': 'נייד',
    'fields[field_7][value]': phone,
    'meta[remote_ip][value]': '192.0.2.1',
  }),
  Fillout: json({
    formName: 'Contact Sales',
    submission: {
      submissionId: 's1',
      questions: [
        { id: 'a', name: 'Full name', type: 'ShortAnswer', value: 'Ada Lovelace' },
        { id: 'b', name: 'Work email', type: 'EmailInput', value: email },
        { id: 'c', name: 'Phone number', type: 'PhoneNumber', value: phone },
      ],
    },
  }),
  'Fluent Forms': json({
    names: { first_name: 'Ada', last_name: 'Lovelace' },
    email,
    phone,
    __submission: { id: '8' },
  }),
  Formstack: form({ FormID: '1', UniqueID: '2', Name: 'first = Ada\n\nlast = Lovelace', Email: email, Phone: phone }),
  GoHighLevel: json({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email,
    phone,
    location: { name: 'Agency' },
    user: { firstName: 'Owner', email: 'owner@agency.example' },
    workflow: { name: 'New lead' },
  }),
  HeyForm: json({
    formName: 'Quiz',
    answers: [
      { id: 'a', title: ["What's your name?"], kind: 'short_text', value: 'Ada Lovelace' },
      { id: 'b', title: ['Your email'], kind: 'email', value: email },
      { id: 'c', title: ['Call you where?'], kind: 'phone_number', value: phone },
    ],
  }),
  'HTML forms': multipart({ 'full-name': 'Ada Lovelace', email, tel: phone }),
  IndiaMART: json({ RESPONSE: { SENDER_NAME: 'Ada Lovelace', SENDER_MOBILE: phone, SENDER_EMAIL: email } }),
  Intercom: json({
    topic: 'contact.lead.added_email',
    data: { item: { role: 'lead', name: 'Ada Lovelace', email, phone } },
  }),
  Mailchimp: form({
    type: 'subscribe',
    'data[email]': email,
    'data[merges][FNAME]': 'Ada',
    'data[merges][LNAME]': 'Lovelace',
    'data[merges][PHONE]': phone,
  }),
  Make: json({
    leadId: '8',
    pageName: 'Our Page',
    data: { first_name: 'Ada', last_name: 'Lovelace', email, phone_number: phone },
  }),
  n8n: json([
    {
      id: '9',
      data: { full_name: 'Ada Lovelace', work_email: email, phone },
      form: { name: 'Demo' },
      ad: { name: 'Ad' },
    },
  ]),
  Paperform: json({
    data: [
      { title: 'What is your name?', type: 'text', key: 'ba7ri', value: 'Ada Lovelace' },
      { title: 'Your email address', type: 'email', key: 'tgp8', value: email },
      { title: 'Contact number', type: 'phone', key: 'x9', value: phone },
    ],
    submission_id: 's1',
  }),
  'RD Station': json({
    leads: [{ id: '1', name: 'Ada Lovelace', email, mobile_phone: phone, user: 'seller@agency.example' }],
  }),
  'tawk.to': json({
    property: { name: 'Our site' },
    requester: { name: 'Ada Lovelace', email },
    ticket: { subject: 'Call', message: 'Hello', phone },
  }),
  Tilda: form({ Name: 'Ada Lovelace', Phone: phone, Email: email, tranid: '1:2', formid: 'f', COOKIES: '_ga=1' }),
  Unbounce: form({
    page_name: 'Landing',
    'data.json': JSON.stringify({ full_name: ['Ada Lovelace'], email: [email], phone_number: [phone], variant: ['a'] }),
  }),
  Wix: json({
    data: {
      'field:email_e1ca': email,
      formName: 'Contact',
      contact: { name: { first: 'Ada', last: 'Lovelace' }, email, phone },
    },
  }),
  WPForms: json({
    fields: {
      0: { name: 'Name', value: 'Ada Lovelace', type: 'name', first: 'Ada', last: 'Lovelace' },
      1: { name: 'Email', value: email, type: 'email' },
      2: { name: 'Phone', value: phone, type: 'phone' },
    },
  }),
  Zapier: json({
    id: '1',
    ad_name: 'Ad',
    form_name: 'Form',
    full_name: 'Ada Lovelace',
    email,
    phone_number: `p:${phone}`,
  }),
  'Zoho and Salesforce': form({
    'First Name': 'Ada',
    last_name: 'Lovelace',
    email,
    Phone: phone,
    'Lead Source': 'Web',
  }),
}

it.each(formSenders)('finds the person in a body of %s', (sender) => {
  const { body, type } = bodies[sender] ?? { body: '', type: '' }
  const reading = readLeads({
    source: 'website',
    headers: { 'content-type': type },
    body: new TextEncoder().encode(body),
  })
  expect(reading.leads).toMatchObject([{ name: 'Ada Lovelace', email, phone }])
})

it('has a body of every documented sender', () => {
  expect(Object.keys(bodies).toSorted()).toEqual(formSenders.toSorted())
})
