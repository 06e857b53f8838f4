import { stderrLog, toJsonLine } from '../src/core/log.ts'
import type { ServerOptions } from '../src/index.ts'
import { type Server, startServer } from '../src/server.ts'

// The process that is killed. It creates tickets as fast as possible and reports each acknowledged one.

export interface WriterOrder {
  readonly place: ServerOptions
  readonly receiverUrl: string
  /** `write` until killed, or `finish` pending deliveries and report the committed events. */
  readonly task: 'write' | 'finish'
  readonly run: number
}

export type WriterNews =
  | { readonly kind: 'acknowledged'; readonly title: string }
  | { readonly kind: 'committed'; readonly titles: readonly string[] }

const writers = 8
/** A hook rolls back every fifth ticket after its event was queued. */
const isUndone = (title: string) => title.endsWith('undone')

const order: WriterOrder = JSON.parse(process.argv[2] ?? '')
/** Resolves when the message is sent: unsent messages are lost when the process exits. */
const tell = (news: WriterNews) => new Promise((resolve) => process.send?.(news, resolve))

const { server } = await startServer(
  {
    ...order.place,
    encryptionKey: 'a key that is only used in this proof, of enough characters',
    egressAllow: ['127.0.0.1'],
    log: stderrLog(toJsonLine),
    hooks: {
      async ticketCreated(ticket, admin) {
        if (!isUndone(ticket.title)) return
        await admin.tasks.create({ workspace: workspaceId }, { title: ticket.title })
        throw new Error('undone')
      },
    },
  },
  { leaseMs: 200 },
)
const workspaceId = await findWorkspace(server)
if (order.task === 'write') await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
else await finish()

async function findWorkspace({ admin }: Server): Promise<number> {
  const [known] = (await admin.workspaces.list()).data.toReversed()
  if (known !== undefined) return known.id
  const { id } = await admin.workspaces.create({ name: 'Proof' })
  await admin.webhooks.create({ workspace: id }, { url: order.receiverUrl, events: ['*'] })
  return id
}

async function write(writer: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const title = `${order.run}-${writer}-${number}${number % 5 === 4 ? '-undone' : ''}`
    const made = await server.admin.tickets.create({ workspace: workspaceId }, { title }).catch(() => undefined)
    if (made !== undefined) void tell({ kind: 'acknowledged', title })
  }
}

async function finish(): Promise<void> {
  let open = 1
  while (open > 0) {
    await server.deliveries.runDue()
    open = (await server.admin.deliveries.list({ workspace: workspaceId }, { state: 'pending' })).data.length
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const events = await server.admin.events.list({ workspace: workspaceId }, { limit: 200 }).all()
  await tell({ kind: 'committed', titles: events.map(({ body }) => JSON.parse(body).ticket?.title ?? 'a task') })
  await server.close()
  process.disconnect()
}
