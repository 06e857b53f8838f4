import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { connectClient, type HttpClient } from '../../../bench/load/http-client.ts'

// Sends one request again and again, from a thread of its own and with as little HTTP as it takes: a sender that is late
// itself would be measured in place of the server.

export interface LoadOf {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Clients that each wait for their answer, or so many requests per second whether or not the ones before were answered. */
type Pace = { readonly clients: number } | { readonly perSecond: number }

type Order = LoadOf & Pace & { readonly seconds: number }

export interface Offered {
  readonly answers: readonly { readonly status: number; readonly ms: number }[]
  /** Until the last answer: what is not refused may be answered long after it was sent. */
  readonly tookSeconds: number
}

export async function offer(order: Order): Promise<Offered> {
  const thread = new Worker(new URL(import.meta.url), { workerData: order })
  const [offered] = await once(thread, 'message')
  return offered
}

async function send(order: Order): Promise<Offered> {
  const { port, seconds } = order
  const text = toText(order)
  const idle: HttpClient[] = []
  const open: HttpClient[] = []
  const answers: Offered['answers'][number][] = []
  const connect = async () => {
    const client = await connectClient(new URL(`http://127.0.0.1:${port}`))
    open.push(client)
    return client
  }
  const takeIdle = () => {
    const client = idle.pop()
    return client?.isOpen() === false ? undefined : client
  }
  const ask = async () => {
    const startedAt = performance.now()
    try {
      const client = takeIdle() ?? (await connect())
      const status = await client.ask(text)
      answers.push({ status, ms: performance.now() - startedAt })
      if (client.isOpen()) idle.push(client)
    } catch {
      answers.push({ status: 0, ms: performance.now() - startedAt })
    }
  }
  const startedAt = performance.now()
  const sinceMs = () => performance.now() - startedAt
  if ('clients' in order) {
    const run = async () => {
      while (sinceMs() < seconds * 1000) await ask()
    }
    await Promise.all(Array.from({ length: order.clients }, run))
  } else {
    const total = order.perSecond * seconds
    const asked: Promise<void>[] = []
    while (asked.length < total) {
      const due = Math.min(total, Math.floor((sinceMs() / 1000) * order.perSecond))
      while (asked.length < due) asked.push(ask())
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(asked)
  }
  const tookSeconds = sinceMs() / 1000
  for (const client of open) client.close()
  return { answers, tookSeconds }
}

/** The bytes of a request, made once. */
function toText({ path, headers, body }: LoadOf): string {
  const all = { host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

if (!isMainThread) parentPort?.postMessage(await send(workerData))
