// One call of one client in a process of its own: node client-fault.mjs <options as JSON>. It tells its parent what came
// of the call and what is left behind, and stays until its parent ends it.
import { getEventListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { clients } from './clients.mjs'

const { name, call, key, isAbortedBefore, ...options } = JSON.parse(process.argv[2])
const client = await clients[name](options)
const controller = new AbortController()
let abortedAt
const abort = () => {
  abortedAt = performance.now()
  controller.abort(new Error('The caller has left.'))
}
process.on('message', abort)
if (isAbortedBefore) abort()
// A signal keeps a listener of Node's own for as long as it lives, so what was there before does not count.
const listeners = () => getEventListeners(controller.signal, 'abort').length
const before = listeners()

process.send({ ready: true, hasNoSignal: client.hasNoSignal === true })
const outcome = await Promise.resolve()
  .then(() => client[call]({ signal: controller.signal, key }))
  .catch((told) => ({ told }))
const settledAt = performance.now()
// What only waits to be collected is not left behind.
for (let round = 0; round < 3; round += 1) {
  await wait(50)
  globalThis.gc()
}
const { told, value } = outcome
process.send({
  isTold: told !== undefined,
  says: told === undefined ? '' : `${told.name}: ${told.message}`.slice(0, 200),
  hasTicket: JSON.stringify(value ?? null).includes('TKT-00001'),
  printsToken: told !== undefined && (inspect(told) + safeJson(told)).includes(options.token),
  timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
  listeners: listeners() - before,
  abortTookMs: abortedAt === undefined ? undefined : settledAt - abortedAt,
})

function safeJson(value) {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '' // nobody can print it in this way either
  }
}
