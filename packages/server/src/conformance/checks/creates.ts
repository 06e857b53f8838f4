import { createLead, createTask, createTicket } from '@service/contract'
import { type Check, expectSame, expectShape, expectStatus, expectThat, Mismatch } from '../probe.ts'

const testTitle = (what: string) => `Conformance check: ${what}`

/** The document names 201 but labels its sample 200, so both are accepted. */
const created = [201, 200] as const

export const createChecks: readonly Check[] = [
  {
    section: '§4',
    title: 'a ticket is created open, with project and without updated_at',
    basis: 'documented',
    operation: createTicket.operation,
    writes: true,
    async run(probe) {
      const reply = await probe.api(createTicket.path, { body: { title: testTitle('ticket') } })
      expectStatus(reply, ...created)
      const { data } = expectShape(createTicket.responses[201], reply)
      expectSame('open', data.status, 'status')
      expectThat(/^TKT-\d+$/.test(data.ticket_number), 'TKT- and a number', data.ticket_number)
      expectThat('project' in data && !('updated_at' in data), 'project and no updated_at', Object.keys(data))
    },
  },
  {
    section: '§4',
    title: 'creates answer 201',
    basis: 'decided',
    operation: createTicket.operation,
    writes: true,
    run: async (probe) =>
      expectStatus(await probe.api(createTicket.path, { body: { title: testTitle('status') } }), 201),
  },
  {
    section: '§7',
    title: 'a ticket without a title gives 422',
    basis: 'documented',
    operation: createTicket.operation,
    run: async (probe) => expectStatus(await probe.api(createTicket.path, { body: {} }), 422),
  },
  {
    section: '§7',
    title: 'a 422 names the field under errors',
    basis: 'decided',
    operation: createTicket.operation,
    async run(probe) {
      const { json } = await probe.api(createTicket.path, { body: {} })
      const named = typeof json === 'object' && json !== null && 'errors' in json ? json.errors : undefined
      expectThat(typeof named === 'object' && named !== null && 'title' in named, 'errors.title', json)
    },
  },
  {
    section: '§7',
    title: 'a body that is not JSON gives 422',
    basis: 'decided',
    operation: createTicket.operation,
    run: async (probe) => expectStatus(await probe.api(createTicket.path, { body: '{"title":' }), 422),
  },
  {
    section: '§3',
    title: 'a task keeps the status that was sent, and its due date is shown at midnight UTC',
    basis: 'documented',
    operation: createTask.operation,
    writes: true,
    async run(probe) {
      const body = { title: testTitle('task'), status: 'todo', due_at: '2030-01-31' }
      const reply = await probe.api(createTask.path, { body })
      expectStatus(reply, ...created)
      const { data } = expectShape(createTask.responses[201], reply)
      expectSame('todo', data.status, 'status')
      expectSame('2030-01-31T00:00:00.000000Z', data.due_at, 'due_at')
    },
  },
  {
    section: '§4',
    title: 'a task without a title gives 422',
    basis: 'documented',
    operation: createTask.operation,
    run: async (probe) => expectStatus(await probe.api(createTask.path, { body: {} }), 422),
  },
  {
    section: '§4',
    title: 'a lead is new, shows its value with two decimals, and gives 409 the second time',
    basis: 'documented',
    operation: createLead.operation,
    writes: true,
    async run(probe) {
      const email = `conformance-${Date.now()}@example.com`
      const body = { name: testTitle('lead'), source: 'website', email, estimated_value: 1234.5 }
      const reply = await probe.api(createLead.path, { body })
      if (reply.status === 422) throw new Mismatch('an active lead source `website`', reply.text.slice(0, 160))
      expectStatus(reply, ...created)
      const { data } = expectShape(createLead.responses[201], reply)
      expectSame('new', data.status, 'status')
      expectSame('1234.50', data.estimated_value, 'estimated_value')
      expectStatus(await probe.api(createLead.path, { body }), 409)
    },
  },
  {
    section: '§4',
    title: 'a lead without a source gives 422',
    basis: 'documented',
    operation: createLead.operation,
    run: async (probe) => expectStatus(await probe.api(createLead.path, { body: { name: 'x' } }), 422),
  },
]
