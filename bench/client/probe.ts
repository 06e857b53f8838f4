import { pathToFileURL } from 'node:url'
import { type Caller, callerNames, callers } from './callers.ts'
import { sampleAnswers, ticketNumber } from './sample-answers.ts'

// One caller and one call in a fresh process: timers and garbage of one must not be paid by another.

// With a program of `peers/programs/` the caller is one of its clients, and `module` is ours as it was built.

const [name = '', call, warmUpMs, measureMs, program, module] = process.argv.slice(2)

const replyHeaders = { 'content-type': 'application/json', 'x-request-id': 'r-1', 'x-ratelimit-limit': '120' }

// Stands in for the network, and answers at once.
globalThis.fetch = async (input, init) => {
  const method = input instanceof Request ? input.method : (init?.method ?? 'GET')
  const creates = method === 'POST'
  return new Response(creates ? sampleAnswers.create : sampleAnswers.list, {
    status: creates ? 201 : 200,
    headers: replyHeaders,
  })
}

const caller = await makeCaller()
const once = call === 'create' ? (by: Caller) => by.create() : (by: Caller) => by.list()

if (!JSON.stringify(await once(caller)).includes(ticketNumber)) throw new Error(`${name} did not read the answer.`)
await callFor(Number(warmUpMs))
const before = process.cpuUsage()
const calls = await callFor(Number(measureMs))
const { user, system } = process.cpuUsage(before)
process.stdout.write(JSON.stringify({ cpuMicrosPerCall: (user + system) / calls }))
// A caller may leave timers behind; nobody waits for them.
process.exit(0)

async function callFor(milliseconds: number): Promise<number> {
  const endsAt = performance.now() + milliseconds
  let calls = 0
  while (performance.now() < endsAt) {
    for (let index = 0; index < 50; index += 1) await once(caller)
    calls += 50
    // Without a turn of the event loop no timer fires and no finished signal is collected, as it would be in real use.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return calls
}

async function makeCaller(): Promise<Caller> {
  if (program !== undefined) {
    const { clients } = await import(pathToFileURL(program).href)
    const token = 'service_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG000000'
    return clients[name]({ module, token, baseUrl: 'https://platform.example/api/v1', inProcess: true })
  }
  const known = callerNames.find((each) => each === name)
  if (known === undefined) throw new TypeError(`Nobody is called ${name}.`)
  return callers[known]()
}
