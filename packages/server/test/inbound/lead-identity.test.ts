import { leadReaders } from '@service/intake/leads/platforms/index'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { startOpenSite } from './inbound-site.ts'

interface Submission {
  readonly name: string
  readonly email: string
  readonly phone: string
  /** The sender's id of the inquiry, and its form. */
  readonly id: string
  readonly form: string
}

type Sender = (submission: Submission) => object

const list = ({ name, email, phone }: Submission) =>
  Object.entries({ name, email, phone }).map(([label, value]) => ({ name: label, value }))
const flat = ({ name, email, phone }: Submission) => ({ name, email, phone })

/** A body of every reader, with the same id and form for everyone who sends it. */
const platforms: Readonly<Record<string, Sender>> = {
  'WhatsApp Cloud': ({ name, phone, id }) => ({
    messaging_product: 'whatsapp',
    contacts: [{ profile: { name }, wa_id: phone.slice(1) }],
    messages: [{ from: phone.slice(1), id, type: 'text', text: { body: 'Hello' } }],
  }),
  'LinkedIn Lead Sync': (sent) => ({ id: sent.id, formResponse: { answers: list(sent) } }),
  Typeform: ({ email, phone, id, form }) => ({
    event_type: 'form_response',
    form_response: {
      ...{ form_id: form, token: id },
      answers: [
        { type: 'email', email, field: { id: 'a', type: 'email' } },
        { type: 'phone_number', phone_number: phone, field: { id: 'b', type: 'phone_number' } },
      ],
    },
  }),
  'Wufoo, with field structures': ({ email, phone, id }) => ({
    ...{ Field1: email, Field2: phone, EntryId: id },
    FieldStructure: JSON.stringify({
      Fields: [
        { ID: 'Field1', Title: 'Email', Type: 'email' },
        { ID: 'Field2', Title: 'Phone', Type: 'phone' },
      ],
    }),
  }),
  'Twilio, voice': ({ phone, id }) => ({ CallSid: id, AccountSid: 'AC1', From: phone, CallStatus: 'ringing' }),
  'Twilio, SMS and WhatsApp': ({ phone, id }) => ({ MessageSid: id, AccountSid: 'AC1', From: phone, Body: 'Hello' }),
  'Google Ads lead form': ({ email, phone, id, form }) => ({
    lead_id: id,
    form_id: form,
    user_column_data: [
      { column_id: 'EMAIL', string_value: email },
      { column_id: 'PHONE_NUMBER', string_value: phone },
    ],
  }),
  'Meta lead ads': (sent) => ({
    ...{ id: sent.id, form_id: sent.form },
    field_data: Object.entries(flat(sent)).map(([name, value]) => ({ name, values: [value] })),
  }),
  'Calendly, v1 and v2': ({ name, email, phone, id }) => ({
    event: 'invitee.created',
    payload: { name, email, uri: id, text_reminder_number: phone },
  }),
  'Cal.com': ({ name, email, phone, id }) => ({
    triggerEvent: 'BOOKING_CREATED',
    payload: { uid: id, responses: { name: { value: name }, email: { value: email }, phone: { value: phone } } },
  }),
  Tally: (sent) => ({
    eventType: 'FORM_RESPONSE',
    data: {
      submissionId: sent.id,
      formId: sent.form,
      fields: list(sent).map(({ name: label, value }) => ({ label, value })),
    },
  }),
  Jotform: (sent) => ({ formID: sent.form, submissionID: sent.id, rawRequest: flat(sent) }),
  'Webflow, v1 and v2': (sent) => ({ name: 'Contact', site: sent.form, _id: sent.id, data: flat(sent) }),
  'Netlify Forms': (sent) => ({ id: sent.id, form_name: sent.form, human_fields: {}, data: flat(sent) }),
  'Gravity Forms, all fields': ({ email, phone, id, form }) => ({
    ...{ id, form_id: form, date_created: '2026-11-20', 1.3: 'Ada', 1.6: 'Lee', 2: email, 3: phone },
  }),
  'HubSpot: forms, contacts, workflows': ({ email, phone, id, form }) => ({
    objectId: id,
    'portal-id': form,
    properties: { email: { value: email }, phone: { value: phone } },
  }),
  TikTok: (sent) => ({ event: 'lead', lead_id: sent.id, ...flat(sent) }),
}

/** `{key, value}` and `{meta_key, meta_value}`, as shops and forms keep what people entered. */
const pairsNamed = (key: string, value: string, sent: Submission) =>
  Object.entries(flat(sent)).map(([label, text], id) => ({ id, [key]: label, [value]: text }))

const metaKeys = ['meta', 'META', 'Meta', 'meta_data', 'metadata', 'metaData', 'form_meta', 'item_meta']

const metaSenders: readonly Sender[] = metaKeys.flatMap((key): readonly Sender[] => [
  (sent) => ({ form_id: sent.form, id: sent.id, [key]: flat(sent) }),
  (sent) => ({ form_id: sent.form, id: sent.id, [key]: pairsNamed('key', 'value', sent) }),
  (sent) => ({ form_id: sent.form, entry_id: sent.id, [key]: pairsNamed('meta_key', 'meta_value', sent) }),
  (sent) => ({ data: { entry_id: sent.id, [key]: pairsNamed('key', 'value', sent) } }),
])

/** Visitors of a chat write how to reach them. */
const chatSenders: readonly Sender[] = [
  ({ id, email, phone }) => ({
    ...{ website_id: 'w', event: 'message:send' },
    data: { from: 'user', type: 'text', content: `I am at ${email}, or ring ${phone}.`, session_id: id, user: {} },
  }),
  ({ id, email, phone, name }) => ({
    ...{ event: 'message_created', id, message_type: 'incoming', content: `${phone} or ${email}`, account: { id: 1 } },
    ...{ sender: { id: 2, name, email: null, type: 'contact' }, conversation: { id: 1, inbox_id: 3 } },
  }),
]

/** What happened to several people, and what other events look like. */
const eventSenders: readonly Sender[] = [
  (sent) => ({ events: [{ type: 'subscriber.create', data: { subscriber: { id: sent.id, ...flat(sent) } } }] }),
  (sent) => ({ events: [{ event: 'subscriber.created', id: sent.id, ...flat(sent), status: 'active' }] }),
  (sent) => ({ subscriber: { id: sent.id, state: 'active', ...flat(sent) } }),
  (sent) => ({ trigger: 'subscribe', list_id: sent.form, list_name: 'News', ...flat(sent) }),
  (sent) => ({ Event: 'ContactCreated', Data: { Id: sent.id, ...flat(sent) } }),
  (sent) => ({ vid: sent.id, 'portal-id': 1, properties: { ...flat(sent), hs_email_optout: 'false' } }),
]

const idKeys = ['id', 'lead_id', 'submission_id', 'entry_id', 'response_id', 'external_id', 'tranid', 'UNIQUE_QUERY_ID']
const formKeys = ['form_id', 'form_name', 'formId', 'page_url', 'none']

/** Shapes for the form guesser: the person at the top, in an object, or in a list of fields. */
const guessed: readonly Sender[] = idKeys.flatMap((idKey) =>
  formKeys.flatMap((formKey): readonly Sender[] => [
    (sent) => ({ [idKey]: sent.id, [formKey]: sent.form, ...flat(sent) }),
    (sent) => ({ [formKey]: sent.form, data: { [idKey]: sent.id, ...flat(sent) } }),
    (sent) => ({ [formKey]: sent.form, submission: { id: sent.id }, payload: flat(sent) }),
    (sent) => ({ [idKey]: sent.id, form: { id: sent.form }, meta: flat(sent) }),
    (sent) => ({ [idKey]: sent.id, [formKey]: sent.form, fields: list(sent) }),
    (sent) => ({ event: 'message_created', id: sent.id, content: 'Hello', sender: flat(sent), account: { id: 1 } }),
  ]),
)

const sources: Readonly<Record<string, string>> = { TikTok: 'tiktok', 'WhatsApp Cloud': 'whatsapp' }
const senders = [
  ...Object.entries(platforms).map(([reader, body]) => ({ source: sources[reader] ?? 'website', body })),
  ...[...guessed, ...metaSenders, ...chatSenders, ...eventSenders].map((body) => ({ source: 'website', body })),
]
/** These senders name a person by the number alone. */
const numberOnly: readonly unknown[] = [
  platforms['WhatsApp Cloud'],
  platforms['Twilio, voice'],
  platforms['Twilio, SMS and WhatsApp'],
]

const pair = fc.record({
  first: fc.nat(senders.length - 1),
  /** Mostly the same sender, form, and id again. */
  second: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat(senders.length - 1)),
  ids: fc.tuple(fc.constantFrom('5', '7'), fc.constantFrom('5', '7')),
  forms: fc.tuple(fc.constantFrom('3', 'contact'), fc.constantFrom('3', 'contact')),
  differsIn: fc.constantFrom('email', 'phone', 'both'),
  names: fc.tuple(fc.constantFrom('Ada Lee', 'Ben Cho'), fc.constantFrom('Ada Lee', 'Ben Cho')),
})

type Pair = typeof pair extends fc.Arbitrary<infer Value> ? Value : never

test('the pairs have a body of every reader', () => {
  expect([...Object.keys(platforms), 'Any other form'].toSorted()).toEqual(
    leadReaders.map(({ name }) => name).toSorted(),
  )
})

/** Every sender twice with the same id, form, and name, once for each difference. */
const repeated: readonly Pair[] = senders.flatMap((_, first) =>
  (['email', 'phone', 'both'] as const).map(
    (differsIn): Pair => ({
      first,
      second: null,
      ids: ['5', '5'],
      forms: ['3', '3'],
      differsIn,
      names: ['Ada Lee', 'Ada Lee'],
    }),
  ),
)

const pairsPerRun = 50
/** 1,000 pairs in each run of the suite, and 10,000 new ones every night. */
const runs = process.env['PROPERTY_SEED'] === 'random' ? 200 : 20

onEveryStore(
  'two submissions whose email or phone differ',
  (start) => {
    test('are both found in the leads or their inquiries', { timeout: 600_000 }, async () => {
      const { server, workspaceId: workspace, secrets } = await startOpenSite(start)
      let count = 0

      const send = async ({ source, body }: (typeof senders)[number], sent: Submission) => {
        await call(server, {
          method: 'POST',
          path: `/api/webhooks/${workspace}/leads/${source}`,
          body: body(sent),
          headers: { 'x-service-webhook-secret': secrets.leads[source] ?? '' },
        })
        return { body: body(sent), phone: sent.phone, email: numberOnly.includes(body) ? null : sent.email }
      }

      const sendPair = async ({ first, second, ids, forms, differsIn, names }: Pair) => {
        count += 1
        const one = { email: `a${count}@example.org`, phone: `+1202${String(5_000_000 + 2 * count)}` }
        const other = { email: `b${count}@example.org`, phone: `+1202${String(5_000_001 + 2 * count)}` }
        const email = differsIn === 'phone' ? one.email : other.email
        const phone = differsIn === 'email' ? one.phone : other.phone
        const [sender, again] = [senders[first], senders[second ?? first]]
        if (sender === undefined || again === undefined) throw new Error('There is no such sender.')
        return [
          await send(sender, { ...one, name: names[0], id: ids[0], form: forms[0] }),
          await send(again, { email, phone, name: names[1], id: ids[1], form: forms[1] }),
        ]
      }

      const expectFound = async (pairs: readonly Pair[]) => {
        const sent: Awaited<ReturnType<typeof sendPair>> = []
        for (const each of pairs) sent.push(...(await sendPair(each)))
        const { data } = await server.admin.leadEnquiries.list({ workspace }, { limit: 2 * pairsPerRun })
        const found = new Set(data.flatMap(({ email, phone }) => [`${phone} ${email}`, `${phone} ${null}`]))
        expect(sent.filter(({ email, phone }) => !found.has(`${phone} ${email}`))).toEqual([])
      }

      for (let start = 0; start < repeated.length; start += pairsPerRun)
        await expectFound(repeated.slice(start, start + pairsPerRun))
      const pairs = fc.array(pair, { minLength: pairsPerRun, maxLength: pairsPerRun, size: 'max' })
      await fc.assert(fc.asyncProperty(pairs, expectFound), { numRuns: runs })
    })
  },
  ['memory'],
)
