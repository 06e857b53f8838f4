import { createServer, type ServerOptions } from '../src/index.ts'

// A node of the clock proof: a real process that runs commands sent as messages.

export interface NodeOrder {
  readonly place: ServerOptions
  readonly receiverUrl: string
  readonly subscription: { readonly schedule?: number[]; readonly fifo?: boolean }
}

export type Ask =
  | { readonly do: 'ticket'; readonly count: number }
  | { readonly do: 'rate' }
  | { readonly do: 'state' }
  | { readonly do: 'close' }

export interface Told {
  readonly done: Ask['do'] | 'ready'
  /** The Retry-After of a rate-limited request. */
  readonly retryAfter?: number
  readonly isEnabled?: boolean
  readonly pending?: number
  /** Titles as the API lists them. */
  readonly listed?: readonly string[]
}

const order: NodeOrder = JSON.parse(process.argv[2] ?? '')
const tell = (told: Told) => process.send?.(told)
const server = await createServer({
  ...order.place,
  encryptionKey: 'a key that is only used in this proof, of enough characters',
  egressAllow: ['127.0.0.1'],
  rateLimit: 1,
})
const { admin } = server
const [known] = (await admin.workspaces.list()).data.toReversed()
const workspace = known ?? (await admin.workspaces.create({ name: 'Proof' }))
const workspace_id = workspace.id
if (known === undefined)
  await admin.webhooks.create(
    { workspace: workspace_id },
    { url: order.receiverUrl, events: ['*'], ...order.subscription },
  )
let made = 0

const deeds: { [Name in Ask['do']]: (ask: Ask & { do: Name }) => Promise<Omit<Told, 'done'>> } = {
  async ticket({ count }) {
    for (let index = 0; index < count; index += 1) {
      made += 1
      await admin.tickets.create({ workspace: workspace_id }, { title: `${process.pid}-${made}` })
    }
    return {}
  },
  async rate() {
    const answer = await server.fetch(`/api/v1/workspaces/${workspace_id}/tickets`)
    return answer.status === 429 ? { retryAfter: Number(answer.headers.get('retry-after')) } : {}
  },
  async state() {
    const [subscription] = (await admin.webhooks.list({ workspace: workspace_id })).data
    const pending = (await admin.deliveries.list({ workspace: workspace_id }, { state: 'pending' })).data
    const listed = (await admin.tickets.list({ workspace: workspace_id })).data.map(({ title }) => title)
    return { isEnabled: subscription?.enabled === true, pending: pending.length, listed }
  },
  async close() {
    await server.close()
    return {}
  },
}

process.on('message', (ask: Ask) => {
  if (!('do' in ask)) return // the clock was set, see set-date.ts
  // Each command takes its own input, which the compiler cannot follow through the table.
  const deed = deeds[ask.do] as (ask: Ask) => Promise<Omit<Told, 'done'>>
  void deed(ask).then((told) => tell({ done: ask.do, ...told }))
})
tell({ done: 'ready' })
