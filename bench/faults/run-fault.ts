import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { right } from './answers.ts'
import type { FaultScenario } from './fault-scenarios.ts'
import { type FaultServer, type ReceivedRequest, startFaultServer } from './fault-server.ts'

export const token = 'service_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000'
/** A header of the caller's own, as gateways and webhooks want it. */
export const ownSecret = 'a-secret-in-a-header-of-ones-own'

/** The time limit that a client gets where it takes one. */
export const timeoutMs = 3000
/** Longer than any of them waits between its attempts when it is left alone. */
export const hangsAfterMs = 40_000

/** What was on its way when the caller left. */
const aRequestUnderWayMs = 250

/** What the process of the call tells. */
interface CallReport {
  readonly isTold: boolean
  readonly says: string
  readonly hasTicket: boolean
  readonly printsToken: boolean
  readonly timers: number
  readonly listeners: number
  readonly abortTookMs?: number
}

export interface FaultOutcome {
  readonly hasNoSignal: boolean
  /** Nothing when the call was still under way after `hangsAfterMs`. */
  readonly report: CallReport | undefined
  readonly received: readonly ReceivedRequest[]
  readonly receivedElsewhere: readonly ReceivedRequest[]
  /** Connections with an exchange that never ended, after the call has. */
  readonly unfinished: number
  /** Requests that came after the caller had left. */
  readonly afterAbort: number
}

export interface Caller {
  readonly name: string
  /** The program that makes the call, where the clients are installed. */
  readonly program: string
  /** Where our own client is built. */
  readonly module: string
}

/** Starting a process is work, so few start at once; a call under way mostly waits. */
const starts = { running: 0, waiting: [] as (() => void)[] }

async function inTurn<Value>(start: () => Promise<Value>): Promise<Value> {
  if (starts.running >= 2) await new Promise<void>((resolve) => starts.waiting.push(resolve))
  starts.running += 1
  try {
    return await start()
  } finally {
    starts.running -= 1
    starts.waiting.shift()?.()
  }
}

/** Makes one call of one client towards a platform that fails in one way. */
export async function runFault(scenario: FaultScenario, { name, program, module }: Caller): Promise<FaultOutcome> {
  await using elsewhere = await startFaultServer({ answers: [right] })
  let child: ChildProcess | undefined
  let abortedAt = Number.POSITIVE_INFINITY
  await using server = await startFaultServer({
    answers: scenario.answers,
    otherOrigin: elsewhere.origin,
    onAnswered(count) {
      if (count !== scenario.abort) return
      void wait(100).then(() => {
        abortedAt = performance.now()
        if (child?.connected) child.send('abort')
      })
    },
  })
  const options = {
    ...{ name, module, token, timeoutMs, baseUrl: baseUrlOf(scenario, server) },
    ...{ call: scenario.method === 'GET' ? 'list' : 'create', headers: { 'x-own-secret': ownSecret } },
    ...{ key: scenario.hasKey ? 'one-key-for-all-attempts' : undefined, isAbortedBefore: scenario.abort === 'before' },
  }
  const started = await inTurn(() => startCall(program, options))
  child = started.child
  const { hasNoSignal } = started
  try {
    const leavesUnheard = hasNoSignal && scenario.abort !== undefined
    const report = leavesUnheard ? undefined : await reportOf(child)
    // A connection that was let go needs a moment to close.
    for (let tries = 0; report !== undefined && server.unfinished() > 0 && tries < 30; tries += 1) await wait(100)
    return {
      ...{ hasNoSignal, report, unfinished: server.unfinished() },
      ...{ received: server.received, receivedElsewhere: elsewhere.received },
      afterAbort: server.received.filter(({ at }) => at > abortedAt + aRequestUnderWayMs).length,
    }
  } finally {
    child.kill('SIGKILL')
  }
}

async function startCall(program: string, options: object) {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${program} ended with ${code} before its call.`)
  })
  ended.catch(() => undefined) // it may end now
  const [{ hasNoSignal }] = await Promise.race([once(child, 'message'), ended])
  return { child, hasNoSignal: hasNoSignal === true }
}

async function reportOf(child: ChildProcess): Promise<CallReport | undefined> {
  const signal = AbortSignal.timeout(hangsAfterMs)
  try {
    const [report] = await once(child, 'message', { signal })
    return report as CallReport // our own program
  } catch (fault) {
    if (signal.aborted) return undefined
    throw fault
  }
}

/** Another address of this machine than the one on which the servers here listen. */
const closedOrigin = 'http://127.0.0.2:47471'

function baseUrlOf({ baseUrl }: FaultScenario, { origin }: FaultServer): string {
  if (baseUrl === 'unknown') return 'https://platform.invalid/api/v1'
  if (baseUrl === 'tls') return `${origin.replace('http:', 'https:')}/api/v1`
  return `${baseUrl === 'closed' ? closedOrigin : origin}/api/v1`
}
