import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnFreePort } from './free-port.ts'

/**
 * A load balancer as they are set up by default: it asks every node for `/readyz`, and gives requests in turn to those that
 * are ready. It repeats nothing that was sent; only one whose connection was refused goes to another node.
 */
export interface Balancer {
  readonly url: string
  /** Adds a node, which gets requests while it is ready. */
  add(nodeUrl: string): void
  remove(nodeUrl: string): void
  /** Resolves when the node starts or stops getting requests. */
  becomes(nodeUrl: string, state: 'ready' | 'unready'): Promise<void>
  /** Requests whose connection was refused: the node stopped between two checks of `/readyz`. */
  readonly refusedConnections: () => number
  close(): Promise<void>
}

interface Node {
  readonly origin: URL
  readonly agent: Agent
  isReady: boolean
  isRemoved: boolean
}

const timeLimitMs = 30_000

/** Hop-by-hop headers. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding'])

export async function startBalancer({ checkEveryMs }: { checkEveryMs: number }): Promise<Balancer> {
  const nodes = new Map<string, Node>()
  let turn = 0
  let refusedConnections = 0
  const nextNode = () => {
    const ready = [...nodes.values()].filter(({ isReady }) => isReady)
    turn += 1
    return ready[turn % ready.length]
  }
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await readAll(incoming)
    for (let attempt = 0; attempt <= nodes.size; attempt += 1) {
      const node = nextNode()
      if (node === undefined) return void outgoing.writeHead(502).end('No node is ready.')
      const fault = await forward({ node, incoming, body, outgoing })
      if (fault === undefined) return
      if (fault !== 'ECONNREFUSED') return void outgoing.writeHead(502).end(`The node gave no answer: ${fault}`)
      refusedConnections += 1
      setReady(node, false)
    }
    outgoing.writeHead(502).end('Every node refused the connection.')
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  const port = await listenOnFreePort(server)
  const remove = (nodeUrl: string) => {
    const node = nodes.get(nodeUrl)
    nodes.delete(nodeUrl)
    if (node !== undefined) node.isRemoved = true
    node?.agent.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    add(nodeUrl) {
      const agent = new Agent({ keepAlive: true, timeout: timeLimitMs })
      const node = { origin: new URL(nodeUrl), agent, isReady: false, isRemoved: false }
      nodes.set(nodeUrl, node)
      void watch(node, checkEveryMs)
    },
    remove,
    async becomes(nodeUrl, state) {
      while (nodes.get(nodeUrl)?.isReady !== (state === 'ready')) await sleep(checkEveryMs)
    },
    refusedConnections: () => refusedConnections,
    async close() {
      for (const nodeUrl of [...nodes.keys()]) remove(nodeUrl)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function watch(node: Node, checkEveryMs: number): Promise<void> {
  while (!node.isRemoved) {
    setReady(node, await isReady(node))
    await sleep(checkEveryMs)
  }
}

/** Closes idle connections to a node that gets no requests. */
function setReady(node: Node, ready: boolean): void {
  node.isReady = ready && !node.isRemoved
  if (node.isReady) return
  for (const sockets of Object.values(node.agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

function isReady({ origin }: Node): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(new URL('/readyz', origin), { agent: false, timeout: timeLimitMs }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200))
      response.on('error', () => resolve(false))
    })
    asking.on('error', () => resolve(false)).end()
  })
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Forwarded {
  readonly node: Node
  readonly incoming: IncomingMessage
  readonly body: Buffer
  readonly outgoing: ServerResponse
}

/** Resolves to undefined if the node answered, otherwise to the error. */
function forward({ node, incoming, body, outgoing }: Forwarded): Promise<string | undefined> {
  const { method, url, headers } = incoming
  return new Promise((resolve) => {
    const fail = (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message)
    const target = new URL(url ?? '/', node.origin)
    const sending = request(target, { method, agent: node.agent, headers: endToEnd(headers) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail)
      response.on('end', () => {
        outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.headers))
        outgoing.end(Buffer.concat(chunks))
        resolve(undefined)
      })
    })
    sending.on('error', fail).end(body)
  })
}

const endToEnd = (headers: NodeJS.Dict<string | string[]>) =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name)))
