import { type ChildProcess, fork } from 'node:child_process'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ServerOptions } from '../src/index.ts'
import { listenOnFreePort } from '../test/free-port.ts'
import type { Ask, NodeOrder, Told } from './clock-node.ts'

// The parts of the clock proof: nodes as real processes, and a receiver that records arrival times.

export interface Arrival {
  readonly delivery: string
  readonly atMs: number
  readonly status: number
}

export interface Receiver {
  readonly url: string
  readonly arrivals: Arrival[]
  /** Resolves to true once this many requests have arrived, or to false after the timeout. */
  came(count: number, withinMs?: number): Promise<boolean>
  close(): void
}

const longestWaitMs = 30_000
const poll = 5

export async function startTimingReceiver(statusOf: (number: number) => number, answerAfterMs = 0): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = statusOf(arrivals.length + 1)
      arrivals.push({ delivery: String(request.headers['x-service-delivery']), atMs: performance.now(), status })
      setTimeout(() => response.writeHead(status).end(), answerAfterMs)
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    async came(count, withinMs = longestWaitMs) {
      const end = performance.now() + withinMs
      while (arrivals.length < count && performance.now() < end) await sleep(poll)
      return arrivals.length >= count
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface Node {
  ask(ask: Ask): Promise<Told>
  /** Sets the machine's clock, for this node alone. */
  setClock(byMs: number): void
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>
}

export interface NodeOptions extends Pick<NodeOrder, 'subscription'> {
  readonly place: ServerOptions
  readonly receiver: Receiver
  /** The initial offset of its clock. */
  readonly offMs?: number
}

export async function startNode({ place, receiver, subscription, offMs = 0 }: NodeOptions): Promise<Node> {
  const order: NodeOrder = { place, receiverUrl: receiver.url, subscription }
  const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const child = fork(path('./clock-node.ts'), [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: ['--import', path('./set-date.ts')],
    env: { ...process.env, CLOCK_OFF_MS: String(offMs) },
  })
  await told(child, 'ready')
  return {
    ask(ask) {
      const answer = told(child, ask.do)
      child.send(ask)
      return answer
    },
    setClock: (byMs) => void child.send({ setBy: byMs }),
    async signal(name) {
      const gone = name === 'SIGKILL' ? new Promise((resolve) => child.once('exit', resolve)) : undefined
      child.kill(name)
      await gone
    },
  }
}

function told(child: ChildProcess, done: Told['done']): Promise<Told> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`A node ended before it said ${done}.`))
    const hear = (message: Told) => {
      if (message.done !== done) return
      child.off('message', hear)
      child.off('exit', ended)
      resolve(message)
    }
    child.on('message', hear)
    child.once('exit', ended)
  })
}

/** Closes a node, which releases its leases. */
export async function closeNode(node: Node): Promise<void> {
  await node.ask({ do: 'close' })
  await node.signal('SIGKILL')
}
