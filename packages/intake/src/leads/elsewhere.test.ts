import { describe, expect, it } from 'vitest'
import { readLeads } from './read-lead.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const read = (body: unknown) => readLeads({ source: 'website', headers: {}, body: encode(JSON.stringify(body)) })
const leadsOf = (body: unknown) => read(body).leads

const ada = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0018' }
const staff = { name: 'Sue Staff', email: 'sue@example.net' }

describe('what is told of a delivery', () => {
  it('has whoever it is about, where nobody is found elsewhere', () => {
    for (const metadata of [ada, { userId: '7', ...ada }])
      expect(leadsOf({ event: 'payment.succeeded', data: { amount: 5, metadata } })).toMatchObject([ada])
  })

  it('is nothing about a person who says who they are', () => {
    expect(leadsOf({ email: ada.email, metadata: staff })).toMatchObject([{ name: null, email: ada.email }])
    expect(leadsOf({ phone: ada.phone, meta: { user_email: staff.email } })).toMatchObject([
      { email: null, phone: ada.phone },
    ])
  })

  it('has nobody without an address', () => {
    expect(leadsOf({ event: 'visit', metadata: { name: 'Website', version: '3' } })).toMatchObject([{ name: null }])
  })
})

describe('a record in the place of an id', () => {
  it('is what the id would be of', () => {
    const deal = {
      title: 'Engines',
      owner_id: staff,
      creator_user_id: { id: 7, ...staff },
      org_id: { name: 'Engines Ltd', value: 1 },
    }
    const person = { name: ada.name, email: [{ value: ada.email, primary: true }], phone: [{ value: ada.phone }] }
    for (const body of [{ ...deal, person_id: person }, { data: { created: [{ data: { ...deal, ...person } }] } }])
      expect(leadsOf(body)).toMatchObject([{ ...ada, company: 'Engines Ltd' }])
  })

  it('is no number of a company', () => {
    expect(leadsOf({ ...ada, company: '4711' })).toMatchObject([{ company: null, answers: [{ answer: '4711' }] }])
    expect(leadsOf({ ...ada, company: '1&1' })).toMatchObject([{ company: '1&1' }])
  })

  it('says nothing where it is an id', () => {
    expect(leadsOf({ ...ada, contact_id: '4711', org_id: 12 })).toMatchObject([{ ...ada, company: null }])
  })
})

describe('a field that says whose it is', () => {
  it.each(['customer', 'caller', 'guest', 'patient'])('is the %s’s in any object', (whose) => {
    const invoice = {
      number: 'A-1',
      [`${whose}_name`]: ada.name,
      [`${whose}_phone`]: ada.phone,
      [`${whose}_email`]: ada.email,
    }
    expect(leadsOf({ business: { name: 'Ours', phone: '+1 202 555 0143' }, invoice })).toMatchObject([ada])
  })
})

describe('a chat message', () => {
  const message = {
    Info: { Chat: '447946001812@s.whatsapp.net', IsFromMe: false, PushName: 'Ada' },
    Message: { conversation: 'Hello' },
  }

  it('is from the number of the chat', () => {
    expect(leadsOf({ event: 'Message', data: message })).toMatchObject([
      { name: 'Ada', phone: '447946001812', message: 'Hello' },
    ])
  })

  it('is no enquiry where we wrote it ourselves', () => {
    const own = { ...message, Info: { ...message.Info, IsFromMe: true } }
    expect(read({ event: 'Message', data: own })).toMatchObject({ leads: [], ignored: [{ reason: 'echo' }] })
    expect(leadsOf({ from_me: true, ...ada })).toMatchObject([ada])
  })
})

describe('a company beside the person to contact there', () => {
  it.each(['Ansprechpartner', 'contactpersoon', 'persona_de_contacto', 'yhteyshenkilo', 'Контактное лицо'])(
    'is not the person: %s',
    (label) => {
      expect(leadsOf({ name: 'Engines Ltd', [label]: ada.name, email: ada.email })).toMatchObject(
        [ada].map(({ name }) => ({ name })),
      )
    },
  )
})

describe('labels without spaces between their words', () => {
  it.each([
    ['联系人姓名', '联系人手机', '反馈人邮箱'],
    ['家長姓名', '家長電話', '家長電子郵件'],
    ['お客様名', 'お客様電話番号', 'お客様メールアドレス'],
    ['신청자 이름', '신청자전화번호', '신청자이메일'],
  ])('say whose it is before what it is: %s, %s, %s', (name, phone, email) => {
    expect(leadsOf({ [name]: '王怡君', [phone]: ada.phone, [email]: ada.email })).toMatchObject([
      { name: '王怡君', phone: ada.phone, email: ada.email },
    ])
  })
})

describe('half a name in one word', () => {
  it('is known behind whatever a form calls itself', () => {
    expect(leadsOf({ 'mf-listing-fname': 'Ada', 'mf-listing-lname': 'Lovelace', 'mf-email': ada.email })).toMatchObject(
      [{ name: ada.name, email: ada.email }],
    )
    expect(leadsOf({ ...ada, mother_surname: 'Byron' })).toMatchObject([ada])
  })

  it('is what an address begins with, where no field has a name', () => {
    expect(leadsOf({ field_1: 'Ada', field_2: 'ada42@example.com' })).toMatchObject([{ name: 'Ada' }])
    expect(leadsOf({ field_1: 'Plumbing', field_2: 'ada42@example.com' })).toMatchObject([{ name: null }])
  })
})

describe('what is told of a person in an object of another name', () => {
  const message = 'Please send an offer'

  it.each(['registration', 'quote_request', 'callData', 'homeowner', 'extracted'])('is read: %s', (key) => {
    const said = { ...ada, company: 'Engines Ltd', notes: message }
    expect(leadsOf({ [key]: said })).toMatchObject([{ ...ada, company: 'Engines Ltd', message }])
    expect(leadsOf({ id: 'e1', data: { [key]: said } })).toMatchObject([{ ...ada, company: 'Engines Ltd', message }])
  })

  it('may stand beside or around them', () => {
    expect(leadsOf({ customer: ada, order: { id: 5, note: message } })).toMatchObject([{ ...ada, message }])
    expect(leadsOf({ booking: { comments: message, guest: ada } })).toMatchObject([{ ...ada, message }])
  })

  it('is not what machines and articles say', () => {
    for (const told of [
      { status: { message: 'All is well' } },
      { error: { message } },
      { product: { description: message } },
      { store: { notes: message } },
    ])
      expect(leadsOf({ customer: ada, ...told })).toMatchObject([{ ...ada, message: null }])
  })

  it('is a person wherever somebody has half a name, in other languages, too', () => {
    const halves = { voornaam: 'Ada', achternaam: 'Lovelace', emailadres: ada.email }
    expect(leadsOf({ gegevens: halves })).toMatchObject([{ name: ada.name, email: ada.email }])
  })
})

describe('a deal', () => {
  const deal = { title: 'Engines', value: 5000, user_id: { ...staff, id: 2 } }

  it('has a title and a value as a field has, and is about somebody', () => {
    expect(leadsOf({ data: { ...deal, person_id: ada } })).toMatchObject([ada])
    expect(leadsOf({ data: { ...deal, contact: ada } })).toMatchObject([ada])
  })
})

describe('what is called as bookkeeping is', () => {
  it('is read where it is an address or has an author', () => {
    expect(leadsOf({ submission: { _date: 'now', name: ada.name, _replyto: ada.email } })).toMatchObject([
      { name: ada.name, email: ada.email },
    ])
    const source = { type: 'conversation', body: 'Do you do demos?', author: { type: 'lead', ...ada } }
    expect(leadsOf({ data: { item: { source } } })).toMatchObject([{ ...ada, message: source.body }])
  })

  it('is left out otherwise', () => {
    expect(leadsOf({ ...ada, source: { name: 'Portal' }, _subject: 'New' })).toMatchObject([{ ...ada, answers: [] }])
  })
})

describe('a line of text that a plug-in numbered', () => {
  it('is a name, where it comes first and is written as one', () => {
    expect(leadsOf({ 'text-101': ada.name, 'email-102': ada.email })).toMatchObject([{ name: ada.name }])
    expect(leadsOf({ 'text-101': 'two boats', 'email-102': ada.email })).toMatchObject([{ name: null }])
    expect(leadsOf({ 'text-101': 'Two Boats', name: ada.name, email: ada.email })).toMatchObject([{ name: ada.name }])
  })
})

describe('a company', () => {
  it('is not whose account an event is of, but the customer’s account is', () => {
    const account = { id: 3, name: 'Engines Ltd' }
    expect(leadsOf({ event: 'contact_created', ...ada, account })).toMatchObject([{ ...ada, company: null }])
    expect(leadsOf({ event: 'deal_created', contact: ada, account })).toMatchObject([
      { ...ada, company: 'Engines Ltd' },
    ])
    expect(leadsOf({ ...ada, account })).toMatchObject([{ ...ada, company: 'Engines Ltd' }])
  })

  it('is not whose calls are tracked', () => {
    const call = { callername: ada.name, callernum: ada.phone, company_name: 'Engines Ltd' }
    const { name, phone } = ada
    expect(leadsOf({ ...call, trackingnum: '+44 20 7946 0999' })).toMatchObject([{ name, phone, company: null }])
    expect(leadsOf(call)).toMatchObject([{ name, phone, company: 'Engines Ltd' }])
  })
})

describe('fields that are called by what they are made of', () => {
  it('are a message, a number and an answer', () => {
    const { email, phone } = ada
    expect(leadsOf({ 'email-1': email, 'textarea-1': 'Good morning' })).toMatchObject([
      { email, message: 'Good morning' },
    ])
    expect(leadsOf({ from: email, 'body-plain': 'Good morning' })).toMatchObject([{ email, message: 'Good morning' }])
    expect(leadsOf({ email, attributes: { SMS: phone } })).toMatchObject([{ email, phone }])
    const answer = (heading: string, simple_text: string) => ({ heading, answers: [{ simple_text }] })
    const questions = [answer('Name', ada.name), answer('Email', email)]
    expect(leadsOf({ pages: [{ questions }] })).toMatchObject([{ name: ada.name, email }])
  })
})
