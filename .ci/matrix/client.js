/** Uses the installed client as a caller would and returns the results. Runs in every runtime. */
import { createClient } from '@service/client'
import { NotFoundError } from '@service/client/errors'
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

export async function collectResults() {
  const responses = [
    json(503, { message: 'Busy.' }, { 'retry-after': '0' }),
    json(200, { data: [ticket] }),
    json(404, { message: 'Gone.' }),
    json(200, { received: true, ticket_created: true, ticket_number: 'TKT-00008', ticket_id: 8 }),
  ]
  const sent = []
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
  const receipt = await inbound.errors.report({ message: 'No cart' })
  return {
    title: first.title,
    missing: !missing.ok && missing.error instanceof NotFoundError && missing.error.code,
    ticket: receipt.ticket_number,
    sent,
  }
}
