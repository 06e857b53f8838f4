import { setTimeout as sleep } from 'node:timers/promises'

/** The result of one request: its status, or 0 without a response. */
export interface Answered {
  readonly kind: 'write' | 'list' | 'ready'
  readonly status: number
  readonly startedAt: number
  readonly ms: number
  /** Why there was no response, or the server's error message. */
  readonly fault?: string
}

export interface LoadTarget {
  readonly url: string
  readonly token: string
  readonly workspace: number
}

/** Writers and readers that repeat their requests, and one client that polls `/readyz`. */
export interface Load {
  readonly answers: readonly Answered[]
  /** Titles of the tickets whose creation was acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  /** When the first write after this time was acknowledged. */
  firstWriteAfter(at: number): Promise<number>
  stop(): Promise<void>
}

const requestLimitMs = 40_000
const afterRefusalMs = 50
const longestWaitMs = 60_000

export interface LoadShape {
  readonly writers: number
  readonly readers: number
  /** How long a client pauses after each response. By default only readers pause, for 5 ms. */
  readonly pauseMs?: number
}

export function startLoad(target: LoadTarget, { writers, readers, pauseMs = 0 }: LoadShape): Load {
  const answers: Answered[] = []
  const acknowledged = new Set<string>()
  let isOver = false
  let number = 0
  const keep = async (ask: () => Promise<Answered>, betweenMs: number) => {
    while (!isOver) {
      const answered = await ask()
      answers.push(answered)
      if (betweenMs > 0 || answered.status >= 500 || answered.status === 0) await sleep(betweenMs || afterRefusalMs)
    }
  }
  const write = async (): Promise<Answered> => {
    number += 1
    const title = `Ticket ${number}`
    const answered = await createTicket(target, title)
    if (answered.status === 201) acknowledged.add(title)
    return answered
  }
  const running = [
    ...Array.from({ length: writers }, () => keep(write, pauseMs)),
    ...Array.from({ length: readers }, () => keep(() => listProjects(target), pauseMs || 5)),
    keep(() => ask(target, { kind: 'ready', path: '/readyz' }), 100),
  ]
  return {
    answers,
    acknowledged,
    async firstWriteAfter(at) {
      for (const until = performance.now() + longestWaitMs; performance.now() < until; await sleep(5)) {
        const found = answers.find(({ kind, status, startedAt, ms }) => isWrite(kind, status) && startedAt + ms >= at)
        if (found !== undefined) return found.startedAt + found.ms
      }
      throw new Error('No write was acknowledged within a minute.')
    },
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

const isWrite = (kind: Answered['kind'], status: number) => kind === 'write' && status === 201

export const createTicket = (target: LoadTarget, title: string) =>
  ask(target, { kind: 'write', path: `/api/v1/workspaces/${target.workspace}/tickets`, body: { title } })

/** Lists a table that the writers do not change. */
export const listProjects = (target: LoadTarget) =>
  ask(target, { kind: 'list', path: `/api/v1/workspaces/${target.workspace}/projects` })

interface Asked {
  readonly kind: Answered['kind']
  readonly path: string
  readonly body?: object
}

async function ask({ url, token }: LoadTarget, { kind, path, body }: Asked): Promise<Answered> {
  const startedAt = performance.now()
  let fault: string | undefined
  const status = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(requestLimitMs),
  }).then(
    async (response) => {
      const text = await response.text()
      if (response.status >= 500) fault = text
      return response.status
    },
    (thrown: Error) => {
      fault = String(thrown.cause ?? thrown)
      return 0
    },
  )
  return { kind, status, startedAt, ms: performance.now() - startedAt, ...(fault === undefined ? {} : { fault }) }
}
