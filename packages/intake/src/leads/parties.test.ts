import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const leadsOf = (body: unknown) =>
  readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) }).leads
const reasonsOf = (body: unknown) =>
  readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) }).ignored.map(({ reason }) => reason)

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' }
const shop = { name: 'The Shop', email: 'shop@example.net', phone: '+1 202 555 0143' }
const halves = { first_name: 'Ada', last_name: 'Lovelace' }

const prefixed = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}_${key}`, value]))

const people = ['customer', 'guest', 'donor', 'patient', 'renter', 'shopper', 'payer', 'passenger', 'billing_address']
const others = ['store', 'location', 'company', 'employee', 'manager', 'clinic', 'agent', 'supplier', 'workspace']

describe('whose name and address it is', () => {
  it.each(people)('finds a %s beside a business and its staff, whoever stands first', (key) => {
    for (const other of others) {
      expect(leadsOf({ order: { [key]: ada, [other]: shop } })).toMatchObject([ada])
      expect(leadsOf({ order: { [other]: shop, [key]: ada } })).toMatchObject([ada])
    }
  })

  it.each(people.slice(0, -1))('finds a %s by the beginning that their fields share', (key) => {
    for (const other of others) {
      expect(leadsOf({ ...prefixed(other, shop), ...prefixed(key, ada) })).toMatchObject([ada])
      expect(leadsOf({ storeEmail: shop.email, storeName: shop.name, [`${key}Email`]: ada.email })).toMatchObject([
        { email: ada.email },
      ])
    }
  })

  it.each([
    [{ Klient: { ImieNazwisko: ada.name, NumerTelefonu: ada.phone, AdresEmail: ada.email } }, 'Opiekun'],
    [{ interessado: { nome: ada.name, celular: ada.phone, email: ada.email } }, 'corretor'],
    [{ клиент: { имя: 'Ada', фамилия: 'Lovelace', телефон: ada.phone, почта: ada.email } }, 'менеджер'],
    [{ prospect: { nom: 'Lovelace', prenom: 'Ada', tel: ada.phone, mail: ada.email } }, 'commercial'],
  ])('knows what people and staff are called in other languages: %j', (told, staff) => {
    const other = {
      nome: shop.name,
      nom: shop.name,
      имя: shop.name,
      email: shop.email,
      mail: shop.email,
      tel: shop.phone,
    }
    expect(leadsOf({ enquiry: { [staff]: other, ...told } })).toMatchObject([ada])
  })

  it('takes the name beside the address, not that of an article in a list before it', () => {
    const items = [
      { name: 'Blue collar', qty: 1 },
      { name: 'Red collar', qty: 2 },
    ]
    const { name, email } = ada
    expect(leadsOf({ data: { items, customer: { full_name: name, email } } })).toMatchObject([{ name, email }])
    expect(leadsOf({ upvotes: [{ email }, { email: shop.email }], session: { name, email } })).toMatchObject([
      { name, email },
    ])
    expect(leadsOf({ name: 'Spring gala', attendee_name: name, attendee_email: email })).toMatchObject([
      { name, email },
    ])
    expect(leadsOf({ items, email, shipping_address: { name, city: 'London' } })).toMatchObject([{ name, email }])
  })

  it('takes the name and the company that begin as the address does', () => {
    const { name, email } = ada
    expect(leadsOf({ website_your_name: name, website_email: email })).toMatchObject([{ name, email }])
    expect(leadsOf({ inquirer_name: name, inquirer_email: email, inquirer_company: 'Engines' })).toMatchObject([
      { name, email, company: 'Engines' },
    ])
    expect(leadsOf({ name, user_name: 'ada77', user_email: email })).toMatchObject([{ name, email }])
  })

  it('knows first and last name behind any beginning, but not a relative’s beside the person’s own', () => {
    const { name, email } = ada
    expect(leadsOf({ ...prefixed('record', halves), email })).toMatchObject([{ name, email }])
    expect(leadsOf({ name, spouse_first_name: 'Ann', email })).toMatchObject([{ name, email }])
    expect(leadsOf({ agent_first_name: 'Bo', agent_last_name: 'Seller', email })).toMatchObject([{ name: null, email }])
  })

  it('leaves out who says of itself that it is ours', () => {
    const users = [
      { ...shop, type: 'agent' },
      { ...ada, type: 'customer' },
    ]
    expect(leadsOf({ chat: { users } })).toMatchObject([ada])
    const handles = [
      { identifier: shop.phone, is_me: true },
      { identifier: ada.phone, is_me: false },
    ]
    expect(leadsOf({ handles, text: 'Hello' })).toMatchObject([{ phone: ada.phone }])
    expect(leadsOf({ user: { ...halves, email: ada.email, role: 'Owner' } })).toMatchObject([{ email: ada.email }])
  })

  it('finds whose company it is, and keeps its address apart from theirs', () => {
    const buyer = { ...halves, email: ada.email, company: { id: 7, name: 'Engines' } }
    expect(leadsOf({ order: { primary_buyer: buyer } })).toMatchObject([{ company: 'Engines' }])
    const { email } = ada
    expect(leadsOf({ company_email: shop.email, customer_email: email })).toMatchObject([{ email }])
    expect(leadsOf({ company: { name: 'Engines', email: shop.email } })).toMatchObject([
      { email: shop.email, company: 'Engines', name: null },
    ])
  })

  it('reads a person in what is told of the delivery', () => {
    const { email } = ada
    expect(leadsOf({ email, metadata: { ...halves, request: 7 } })).toMatchObject([{ name: ada.name, email }])
    expect(leadsOf({ email, metadata: { name: 'Landing page' } })).toMatchObject([{ name: null, email }])
  })
})

describe('whose number it is', () => {
  it('finds the sender of a text by bare digits, and takes none where nothing was said', () => {
    const from = '442079460018'
    expect(leadsOf({ device: '12025550143', from, message: 'Hello' })).toMatchObject([
      { phone: from, message: 'Hello' },
    ])
    expect(leadsOf({ payload: { from, text: { body: 'Hello' } } })).toMatchObject([{ phone: from }])
    expect(leadsOf({ from, email: ada.email })).toMatchObject([{ phone: null }])
    expect(leadsOf({ number: from, destination: '12025550143', text: 'Hello' })).toMatchObject([{ phone: from }])
    expect(leadsOf({ number: from, email: ada.email, note: 'Invoice' })).toMatchObject([{ phone: null }])
    expect(leadsOf({ source_addr: from, destination_addr: '77000', message: 'Hello' })).toMatchObject([{ phone: from }])
    expect(leadsOf({ call: { from: { number: from }, to: { number: '12025550143' } } })).toMatchObject([
      { phone: from },
    ])
  })

  it('takes ten digits for a number under a key that says so', () => {
    expect(leadsOf({ calling_number: '1234567898' })).toMatchObject([{ phone: '1234567898' }])
  })

  it('takes the caller’s number, not the one beside it that was called', () => {
    const { phone } = ada
    expect(leadsOf({ phone_number: shop.phone, caller_number: phone })).toMatchObject([{ phone }])
    expect(leadsOf({ name: ada.name, phone, caller_number: shop.phone })).toMatchObject([{ phone }])
  })

  it('reads the number in an address of a chat, which is no address of e-mail', () => {
    const from = '442079460018@c.us'
    const text = { senderName: ada.name, sender: from }
    expect(leadsOf({ wid: '12025550143@c.us', senderData: text })).toMatchObject([
      { name: ada.name, phone: '442079460018', email: null },
    ])
    expect(leadsOf({ from: '442079460018:7@s.whatsapp.net', body: 'Hello' })).toMatchObject([{ phone: '442079460018' }])
    const key = { remoteJid: '442079460018@s.whatsapp.net', fromMe: false }
    expect(leadsOf({ data: { key, pushName: 'Ada' }, sender: '12025550143@s.whatsapp.net' })).toMatchObject([
      { name: 'Ada', phone: '442079460018' },
    ])
  })

  it('takes the first of several numbers, whatever they are called', () => {
    const phones = [
      { label: 'Work', value: ada.phone },
      { label: 'Mobile', value: shop.phone },
    ]
    expect(leadsOf({ ...halves, phone_numbers: phones })).toMatchObject([{ phone: ada.phone }])
  })
})

describe('where it stands', () => {
  it('reads fields by keys in capitals and by pairs of keys', () => {
    const { name, email, phone } = ada
    const fields = Object.entries({ 'Full name': name, Email: email, Phone: phone })
    expect(leadsOf({ Fields: fields.map(([Name, Value]) => ({ Name, Value })) })).toMatchObject([ada])
    expect(leadsOf({ list: fields.map(([FieldName, Value]) => ({ FieldName, Value, code: 4 })) })).toMatchObject([ada])
    expect(leadsOf({ sender: { contact: { identifierKey: 'phone', identifierValue: phone } } })).toMatchObject([
      { phone },
    ])
    const telecom = [
      { system: 'phone', value: phone },
      { system: 'email', value: email },
    ]
    expect(leadsOf({ telecom })).toMatchObject([{ phone, email }])
    expect(leadsOf({ CONTACT: { firstname: { value: 'Ada', at: 7 }, email: { value: email } } })).toMatchObject([
      { name: 'Ada', email },
    ])
  })

  it('reads name and address as mail writes them', () => {
    const from = '"Lovelace, Ada" <ada@example.com>'
    expect(leadsOf({ from, to: 'Shop <shop@example.net>', text: 'Hello' })).toMatchObject([
      { name: 'Lovelace, Ada', email: 'ada@example.com' },
    ])
    expect(leadsOf({ email: '<ada@example.com>' })).toMatchObject([{ name: null, email: 'ada@example.com' }])
  })

  it('reads JSON in any field of a form, and keeps what only looks like it', () => {
    const body = new URLSearchParams({ entry: JSON.stringify(ada), note: '[urgent] call me' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(readLeads({ source: 'website', headers, body: encode(body) }).leads).toMatchObject([
      { ...ada, message: '[urgent] call me' },
    ])
  })

  it('knows whom something is brought to, and who called which number', () => {
    const order = { id: 5, pickup_details: shop, delivery_details: ada }
    expect(leadsOf({ event: 'order_inserted', order })).toMatchObject([ada])
    const call = { CallerIDNum: '0612345678', CallerIDName: 'Ada Lovelace', DestNum: '0187654321' }
    expect(leadsOf({ type: 'call', AgentName: 'Bo', ...call })).toMatchObject([
      { name: 'Ada Lovelace', phone: '0612345678' },
    ])
  })

  it('tells a person who asks for a company from a company', () => {
    const { name, email } = ada
    expect(leadsOf({ name, email, business_type: 'Bakery' })).toMatchObject([{ name, company: null }])
    expect(leadsOf({ name, email, vat_number: null })).toMatchObject([{ name, company: null }])
    expect(leadsOf({ name, email, company: 'Loom Ltd', vat_number: 'GB1' })).toMatchObject([
      { name, company: 'Loom Ltd' },
    ])
    expect(leadsOf({ name, email, legal_name: 'Loom Ltd' })).toMatchObject([{ name }])
    for (const key of ['leads', 'contacts', 'submissions', 'data', 'users'])
      for (const chosen of [{ type: 'host' }, { role: 'agent' }, { is_owner: true }, { kind: 'organizer' }])
        expect(leadsOf({ [key]: [{ ...chosen, ...ada }] }), key).toMatchObject([ada])
    for (const key of ['user', 'member', 'visitor', 'lead'])
      for (const chosen of [{ type: 'admin' }, { role: 'staff' }, { isHost: true }])
        expect(leadsOf({ [key]: { ...chosen, ...ada } }), key).toMatchObject([ada])
    expect(leadsOf({ data: { ...ada, is_owner: true, type: 'agent' } })).toMatchObject([ada])
    expect(leadsOf({ legal_name: 'Loom Ltd', email })).toMatchObject([{ name: null, company: 'Loom Ltd' }])
    expect(leadsOf({ name: 'Loom Ltd', email, vat_number: 'GB1' })).toMatchObject([{ name: null, company: 'Loom Ltd' }])
  })

  it('gives what was said beside a list of people to each of them', () => {
    const messages = [{ message: 'Is it free?', at: '2026-01-01T10:00:00Z' }]
    expect(leadsOf({ people: [ada, { name: 'Bo', email: 'bo@example.com' }], messages })).toMatchObject([
      { name: ada.name, message: 'Is it free?' },
      { name: 'Bo', message: 'Is it free?' },
    ])
  })
})

describe('the state of a message', () => {
  it.each(['typing_indicator.received', 'message.read', 'message-delivered', 'sms_status', 'delivery_report'])(
    'is no enquiry: %s',
    (type) => {
      expect(leadsOf({ type, data: { from: ada.phone, to: shop.phone } })).toEqual([])
      expect(reasonsOf({ event_type: type, to: ada.phone })).toEqual(['status_update'])
    },
  )

  it.each([
    { event: 'Online presence workshop' },
    { event: 'typing-contest' },
    { type: 'Delivery status' },
    { type: 'presence' },
    { event: { type: 'sms_status' } },
  ])('is not what somebody who says who they are has chosen: %o', (chosen) => {
    expect(leadsOf({ ...chosen, ...ada, message: 'I have a question' })).toMatchObject([ada])
    expect(leadsOf({ ...chosen, name: ada.name, email: ada.email })).toMatchObject([{ name: ada.name }])
    expect(leadsOf({ ...chosen, name: ada.name, phone: ada.phone, message: 'Call me' })).toMatchObject([
      { phone: ada.phone },
    ])
  })

  it.each(['Online presence workshop', 'typing-contest', 'Delivery status'])('is not a sentence: %s', (event) => {
    expect(leadsOf({ event, name: ada.name, phone: ada.phone })).toMatchObject([{ phone: ada.phone }])
  })

  it('is not the arrival of one', () => {
    expect(leadsOf({ event: 'message.received', from: ada.phone, text: 'Hello' })).toMatchObject([{ phone: ada.phone }])
    expect(leadsOf({ event: 'order.delivered', customer: ada })).toMatchObject([ada])
  })
})
