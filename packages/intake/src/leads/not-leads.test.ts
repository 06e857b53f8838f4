import { expect, it } from 'vitest'
import { parseBody, readJson, readLines } from './testing.ts'

const values: Readonly<Record<string, string>> = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+442079460018',
  digits: '442079460018',
  ours: '+12025550143',
  oursDigits: '12025550143',
  message: 'Do you ship to Leeds?',
}

const lines = readLines('not-leads.txt').map(({ heading, text }) => {
  const [title = '', notation = ''] = text.split(' → ')
  const filled = notation.replace(/\$(\w+)/g, (name, key: string) => values[key] ?? name)
  return { title, heading, body: parseBody(filled), hasMessage: notation.includes('$message') }
})

// The bodies follow the documentation of the senders, shortened.
it.each(lines.filter(({ heading }) => heading !== 'lead'))('$title is skipped: $heading', ({ body, heading }) => {
  const { leads, ignored } = readJson(body)
  expect(leads).toEqual([])
  expect(ignored.map(({ reason }) => reason)).toEqual([heading])
})

it.each(lines.filter(({ heading }) => heading === 'lead'))('$title is a lead', ({ body, hasMessage }) => {
  const { leads, ignored } = readJson(body)
  expect(ignored).toEqual([])
  expect(leads).toHaveLength(1)
  expect(values).toMatchObject(leads[0]?.email === null ? { phone: leads[0].phone } : { email: leads[0]?.email })
  if (hasMessage) expect(leads[0]?.message).toBe(values['message'])
})

it('reads a person whose address is that of a postmaster', () => {
  const sent = { name: 'Mailin Berg', email: 'postmaster@shop.example', message: 'Do you ship to Leeds?' }
  expect(readJson(sent)).toMatchObject({ leads: [sent], ignored: [] })
})

it('finds the caller of a telephone system that sends its numbers without a plus', () => {
  const call = { event: 'newCall', direction: 'in', from: '4915112345601', to: '4930111', callId: '1' }
  expect(readJson(call).leads).toMatchObject([{ phone: expect.stringContaining('4915112345601') }])
})

it('reads each entry of a list separately', () => {
  const event = { email: values['email'], sg_event_id: 'e' }
  const bounced = { ...event, event: 'bounce' }
  expect(readJson([bounced, { ...event, event: 'delivered' }, { name: 'Ada', email: values['email'] }])).toMatchObject({
    leads: [{ name: 'Ada' }],
    ignored: [{ reason: 'bounced' }, { reason: 'status_update' }],
    entries: [{ reader: 'SendGrid' }, { reader: 'SendGrid' }, { reader: 'Any other form' }],
  })
})
