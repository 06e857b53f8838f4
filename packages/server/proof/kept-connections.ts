import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

// Keeps very many connections in a thread of its own. A server closes a connection that is idle for longer than its
// `Keep-Alive` says, so each of them asks something small in time.

export interface KeptOrder {
  readonly port: number
  readonly connections: number
  /** How many addresses of this machine they come from. */
  readonly addresses: number
}

export interface KeptState {
  /** Connections that are open now. */
  readonly open: number
  readonly answers: number
  /** What else came than 200: a status, or the fault of a connection; and how often. */
  readonly others: Readonly<Record<string, number>>
  /** Connections that the server ended in order. */
  readonly ended: number
}

export interface KeptConnections {
  /** Resolves when all are open and were answered once. */
  readonly opened: Promise<KeptState>
  state(): Promise<KeptState>
  close(): Promise<void>
}

export function keepConnections(order: KeptOrder): KeptConnections {
  const thread = new Worker(new URL(import.meta.url), { workerData: order })
  const next = async (): Promise<KeptState> => {
    const [state] = await once(thread, 'message')
    return state
  }
  return {
    opened: next(),
    state() {
      thread.postMessage('state')
      return next()
    },
    close: async () => void (await thread.terminate()),
  }
}

const openAtOnce = 100
/** Clients are told five seconds. */
const askEveryMs = 4000
const slices = 100
const request = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n'

async function keep({ port, connections, addresses }: KeptOrder): Promise<void> {
  const open = new Set<Socket>()
  const others: Record<string, number> = {}
  let [answers, ended, opened] = [0, 0, 0]
  const count = (what: string) => {
    others[what] = (others[what] ?? 0) + 1
  }
  const openOne = (index: number) =>
    new Promise<void>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${2 + (index % addresses)}` })
      open.add(socket)
      socket.once('connect', () => socket.write(request))
      socket.on('data', (chunk: Buffer) => {
        const status = chunk.toString('latin1', 9, 12)
        if (status === '200') answers += 1
        else count(`status ${status}`)
        resolve()
      })
      socket.once('end', () => {
        ended += 1
      })
      socket.once('error', (fault: NodeJS.ErrnoException) => count(fault.code ?? fault.message))
      socket.once('close', () => {
        open.delete(socket)
        resolve()
      })
    })
  const run = async () => {
    while (opened < connections) {
      opened += 1
      await openOne(opened)
    }
  }
  let slice = 0
  const askOneSlice = () => {
    slice = (slice + 1) % slices
    const due = [...open].filter((socket, at) => at % slices === slice && !socket.connecting)
    for (const socket of due) if (socket.writable) socket.write(request)
  }
  setInterval(askOneSlice, askEveryMs / slices)
  const tell = () => parentPort?.postMessage({ open: open.size, answers, others, ended } satisfies KeptState)
  parentPort?.on('message', tell)
  await Promise.all(Array.from({ length: openAtOnce }, run))
  tell()
}

if (!isMainThread) await keep(workerData)
