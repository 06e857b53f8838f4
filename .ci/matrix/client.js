/** Uses the installed client as a caller would and returns the results. Runs in every runtime. */
import { createClient, NotFoundError } from '@service/client'
import { createAdminClient } from '@service/client/admin'
import { createInboundClient } from '@service/client/inbound'

const ticket = {
  id: 7,
  ticket_number: 'TKT-00007',
  title: 'Toner is here 🎉',
  status: 'open',
  priority: 'medium',
  category: null,
  assigned_to: null,
  created_by: null,
  created_at: '2026-11-20T18:51:53.123456Z',
  updated_at: '2026-11-20T18:51:53.123456Z',
  assignee: null,
  creator: null,
}
const json = (status, body, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

const recordingLogger = (lines) => {
  const log = (line) => lines.push(line)
  return { debug: log, info: log, warn: log, error: log }
}

const messageOf = (act) => {
  try {
    return act()
  } catch (error) {
    return error.message
  }
}

export async function collectResults() {
  const responses = [
    json(503, { message: 'Busy.' }, { 'retry-after': '0' }),
    json(200, { data: [ticket] }),
    json(404, { message: 'Gone.' }),
    json(200, { total: '9.50' }, { 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '119' }),
    json(200, { data: [{ id: 2, name: 'support' }], next_before: 2 }),
    json(200, { data: [{ id: 1, name: 'general' }], next_before: null }),
    json(200, { received: true, ticket_created: true, ticket_number: 'TKT-00008', ticket_id: 8 }),
  ]
  const sent = []
  const lines = []
  const fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return responses.shift()
  }
  const client = createClient({
    baseUrl: 'https://platform.example/api/v1',
    token: 'token',
    workspace: 1,
    fetch,
    dangerouslyAllowBrowser: true, // one of the runtimes is a browser
  })
  const [first] = await client.tickets.list()
  const missing = await client.projects.list().safe()
  const inbound = createInboundClient({
    webhookBaseUrl: 'https://platform.example/api',
    dangerouslyAllowBrowser: true,
    workspace: 1,
    secrets: { errors: 'secret' },
    fetch,
  })
  const copy = client.withOptions({ pace: 'auto', logger: recordingLogger(lines) })
  const invoice = await copy.request({ method: 'GET', path: '/workspaces/{workspace}/invoices' })
  const admin = createAdminClient({
    baseUrl: 'https://platform.example/admin/v1',
    token: 'token',
    fetch,
    dangerouslyAllowBrowser: true,
  })
  const channels = await admin.channels.list({ workspace: 1 }).all()
  const receipt = await inbound.errors.report({ message: 'No cart' })
  return {
    title: first.title,
    missing: !missing.ok && missing.error instanceof NotFoundError && missing.error.code,
    ticket: receipt.ticket_number,
    invoice: invoice.total,
    channels: channels.map(({ name }) => name),
    logged: lines.length > 0,
    environment: messageOf(() => createClient()),
    misspelled: messageOf(() => client.withOptions({ timeoutMS: 1 })),
    sent,
  }
}
