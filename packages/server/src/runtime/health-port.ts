import { Worker } from 'node:worker_threads'
import { threadFile } from '../core/body-reading-thread.ts'
import { after } from '../core/clock.ts'
import type { Log } from '../core/log.ts'

// libuv accepts one connection per event-loop turn, so health checks wait behind every connection that arrived before
// them: with a thousand at once for seconds. A thread with its own loop answers on a second port: `/livez` from the
// reports of the main loop, `/readyz` from the last readiness, and `/metrics` by asking the main loop.

export interface HealthPortOptions {
  readonly port: number
  readonly host: string
}

/** A response as plain data, for messages between threads. */
export interface HealthAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Every message also shows that the main loop runs. */
export type ToHealthThread =
  | { readonly alive: true }
  | { readonly readiness: HealthAnswer }
  | { readonly id: number; readonly answer: HealthAnswer }
  | { readonly close: true }

export type FromHealthThread =
  | { readonly listening: number }
  | { readonly failed: { readonly message: string; readonly code: string } }
  | { readonly ask: { readonly id: number; readonly path: string; readonly authorization: string | undefined } }

interface Parts {
  /** Answers a request of this process. */
  readonly handle: (request: Request) => Response | Promise<Response>
  /** Calls `act` when the server starts to stop. */
  readonly onDrain: (act: () => void) => void
  readonly log: Pick<Log, 'error'>
}

export interface HealthPort {
  readonly port: number
  close(): Promise<void>
}

const reportEveryMs = 500
/** As often as a load balancer asks. */
const reportsPerReadiness = 2
const resourceLimits = { maxOldGenerationSizeMb: 32 }

export async function openHealthPort(options: HealthPortOptions, { handle, onDrain, log }: Parts): Promise<HealthPort> {
  const thread = new Worker(threadFile('health-thread', import.meta.url), { workerData: options, resourceLimits })
  const ended = new Promise((resolve) => thread.once('exit', resolve))
  const send = (message: ToHealthThread) => thread.postMessage(message)
  const ask = async (path: string, authorization?: string): Promise<HealthAnswer> => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await handle(new Request(`http://localhost${path}`, { headers }))
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  }
  const sendReadiness = async () => send({ readiness: await ask('/readyz') })
  const port = await new Promise<number>((resolve, reject) => {
    thread.on('message', (message: FromHealthThread) => {
      if ('listening' in message) resolve(message.listening)
      else if ('failed' in message) reject(listenError(message.failed, options))
      else {
        const { id, path, authorization } = message.ask
        void ask(path, authorization).then((answer) => send({ id, answer }))
      }
    })
    thread.on('error', (fault) => {
      reject(fault)
      log.error('The thread for health checks ended. Restart the server.', { fault: fault.message })
    })
  })
  thread.unref()
  await sendReadiness()
  let reports = 0
  const report = () => {
    reports += 1
    if (reports % reportsPerReadiness === 0) void sendReadiness()
    else send({ alive: true })
    cancelReport = after(reportEveryMs, report)
  }
  let cancelReport = after(reportEveryMs, report)
  onDrain(() => void sendReadiness())
  return {
    port,
    async close() {
      cancelReport()
      // Otherwise a process that waits only for this ends before.
      thread.ref()
      send({ close: true })
      await ended
    },
  }
}

function listenError({ message, code }: { message: string; code: string }, { port, host }: HealthPortOptions): Error {
  const sentence = `Port ${port} on ${host} for health checks is in use. Choose another SERVICE_HEALTH_PORT (healthPort).`
  return Object.assign(new Error(code === 'EADDRINUSE' ? sentence : message), {
    code: code === 'EADDRINUSE' ? '' : code,
  })
}
