import type { TestServer } from '../../src/testing/entries/testing.ts'

/** A response as the caller sees it. */
export interface ResponseText {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const root = '/api/v1/workspaces/1'

/** Valid and invalid requests of all kinds, sent one after another and the same in every call. */
export async function mixedRequests(server: TestServer, count: number): Promise<ResponseText[]> {
  const responses: ResponseText[] = []
  for (let index = 0; index < count; index += 1) {
    const { path, ...init } = requestAt(server, index)
    const answer = await server.fetch(path, init)
    responses.push({ status: answer.status, headers: [...answer.headers], body: await answer.text() })
    if (index % 50 === 49) await server.clock.advance('61s')
  }
  return responses
}

function requestAt({ seeded }: TestServer, index: number): RequestInit & { readonly path: string } {
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  const headers = { ...json, authorization: `Bearer ${seeded.token}` }
  const post = (path: string, body: unknown, more: object = {}) => ({
    path,
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  })
  const secret = (name: string) => ({ 'x-service-webhook-secret': seeded.workspaces[0]?.secrets[name] ?? '' })
  const requests = [
    post(`${root}/tickets`, { title: `Ticket ${index}`, tags: ['a', 'b'], priority: 'high' }),
    { path: `${root}/tickets`, headers },
    post(`${root}/tasks`, { title: `Task ${index}`, due_at: '2026-02-29' }),
    post(`${root}/tasks`, { title: `Task ${index}`, due_at: '2026-03-01' }, { 'idempotency-key': `key-${index % 40}` }),
    { path: `${root}/projects`, headers },
    post(`${root}/crm/leads`, { name: 'Lead', email: `lead.${index}@example.test`, source: 'website' }),
    post(`${root}/crm/leads`, { name: 'Lead', email: 'again@example.test', source: 'website' }),
    { path: `${root}/hrms/employees`, headers: { ...json, authorization: 'Bearer nonsense' } },
    post(`${root}/hrms/attendance/punch`, { employee_code: 'E-001', external_device_id: 'DEMO-DOOR-1' }),
    post('/api/webhooks/1/errors', { message: `Error of kind ${index % 3}` }, secret('errors')),
    { path: '/api/v1/workspaces/2/tickets', headers },
    post(`${root}/nowhere`, {}),
    { ...post(`${root}/tickets`, {}), body: '{"title":' },
  ]
  return requests[index % requests.length] ?? { path: '/' }
}
