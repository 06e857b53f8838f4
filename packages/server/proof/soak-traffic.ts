import type { Served } from './served.ts'

// What an installation is asked on an ordinary day, in a fixed order, so that every run does the same.

export interface Asking {
  readonly name: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
}

/** The request with this number. */
export type Traffic = (number: number) => Asking

/** How often in forty requests each kind is sent. */
const shares = {
  listTickets: 10,
  listProjects: 4,
  createTicket: 5,
  reportError: 6,
  lead: 3,
  punch: 4,
  push: 2,
  searchTickets: 2,
  listDeliveries: 1,
  resend: 1,
  overview: 1,
  refused: 1,
} as const

type Kind = keyof typeof shares

/** Every kind as often as its share says, spread over the forty. */
const order: readonly Kind[] = Object.entries(shares)
  .flatMap(([kind, share]) =>
    Array.from({ length: share }, (_, at) => ({ kind: kind as Kind, at: (at + 0.5) / share })),
  )
  .toSorted((a, b) => a.at - b.at)
  .map(({ kind }) => kind)

const minuteMs = 60_000

type Made = Omit<Asking, 'name'>
type Kinds<Some extends Kind> = { readonly [Each in Some]: (number: number) => Made }

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const get = (path: string, headers: Record<string, string>): Made => ({ method: 'GET', path, headers })
const post = (path: string, headers: Record<string, string>, body: object): Made => ({
  ...{ method: 'POST', path, body },
  headers: { 'content-type': 'application/json', ...headers },
})

export function trafficOf(served: Served): Traffic {
  const make = { ...calls(served), ...inboundWebhooks(served), ...administration(served) }
  return (number) => {
    const name = order[number % order.length] ?? 'listTickets'
    return { name, ...make[name](number) }
  }
}

function calls({ workspace, token }: Served): Kinds<'listTickets' | 'listProjects' | 'createTicket' | 'refused'> {
  const api = `/api/v1/workspaces/${workspace}`
  return {
    listTickets: () => get(`${api}/tickets`, bearer(token)),
    listProjects: () => get(`${api}/projects`, bearer(token)),
    createTicket: (number) =>
      post(`${api}/tickets`, bearer(token), {
        ...{ title: `Ticket ${number}`, description: 'x'.repeat(300), tags: ['soak', 'new'] },
      }),
    refused: () => get(`${api}/tickets`, bearer('nobody')),
  }
}

function inboundWebhooks({ workspace, ...served }: Served): Kinds<'reportError' | 'lead' | 'punch' | 'push'> {
  const inbound = `/api/webhooks/${workspace}`
  const secret = (value: string) => ({ 'x-service-webhook-secret': value })
  const startedAt = Date.now()
  return {
    // Each of two hundred faults again and again, as it is with faults.
    reportError: (number) =>
      post(`${inbound}/errors`, secret(served.errorSecret), {
        message: `Cannot load the part ${toLetters(number % 200)}`,
        exception: 'PartError',
        file: `src/${toLetters(number % 200)}.ts`,
        stack: `PartError: x\n${'    at load (/app/src/load.ts:1:3)\n'.repeat(20)}`,
      }),
    lead: (number) =>
      post(`${inbound}/leads/website`, secret(served.leadSecret), {
        email: `person-${number % 500}@lead.example`,
        name: `Person ${number % 500}`,
        message: 'Please call me.',
      }),
    punch: (number) =>
      post(`${inbound}/attendance`, secret(served.attendanceSecret), {
        ...{ employee_code: `E-00${1 + (number % 4)}`, external_device_id: 'DEMO-DOOR-1', direction: 'toggle' },
        // Within the last four weeks.
        timestamp: new Date(startedAt - ((number * 7) % 40_000) * minuteMs).toISOString(),
      }),
    push: (number) =>
      post(
        `${inbound}/github`,
        { 'x-github-event': 'push', 'x-github-delivery': `soak-${number}` },
        {
          ...{ ref: 'refs/heads/main', repository: { id: 7, full_name: 'acme/shop' }, pusher: { name: 'ada' } },
          commits: [0, 1, 2].map((at) => ({
            id: (number * 3 + at).toString(16).padStart(40, '0'),
            message: `Fix ${number}`,
            author: { name: 'Ada', email: 'ada@example.com' },
          })),
        },
      ),
  }
}

function administration({
  workspace,
  adminToken,
}: Served): Kinds<'searchTickets' | 'listDeliveries' | 'resend' | 'overview'> {
  const admin = `/admin/v1/workspaces/${workspace}`
  const headers = bearer(adminToken)
  return {
    searchTickets: (number) => get(`${admin}/tickets?q=part+${toLetters(number % 200)}&limit=50`, headers),
    listDeliveries: () => get(`${admin}/deliveries?limit=50`, headers),
    resend: (number) => post(`${admin}/deliveries/${1 + (number % 1000)}/resend`, headers, {}),
    overview: () => get('/metrics', headers),
  }
}

/** Digits are taken out of a fault before it is compared with others, letters are not. */
const toLetters = (number: number) =>
  [...number.toString().padStart(3, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('')
