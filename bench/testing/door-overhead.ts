// What the journal and the contract cost a request in process, against the same server without either, measured in turns
// in one run; and what 50,000 requests leave on the heap. `node --expose-gc bench/testing/door-overhead.ts`
import { createServer, type PlatformServer, type ServerOptions } from '../../packages/server/src/index.ts'

const rounds = 9
const perRound = 400
const variants: Readonly<Record<string, ServerOptions>> = {
  bare: { journal: false },
  journal: {},
  'journal and contract': { contract: 'collect' },
}

interface Calls {
  list(): Promise<unknown>
  create(): Promise<unknown>
}

async function open(options: ServerOptions): Promise<{ server: PlatformServer; calls: Calls }> {
  const server = await createServer({ clock: '2026-01-01T00:00:00Z', rateLimit: 'off', ...options })
  const workspace = await server.admin.workspaces.create({ name: 'Acme' })
  const member = await server.admin.members.add({ workspace_id: workspace.id, name: 'Ada', email: 'ada@acme.example' })
  const { token } = await server.admin.tokens.create({
    workspace_id: workspace.id,
    user_id: member.id,
    scopes: ['tickets:read', 'tickets:write'],
  })
  const url = `${server.origin}/api/v1/workspaces/${workspace.id}/tickets`
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const body = JSON.stringify({ title: 'Checkout fails with a coupon', priority: 'high', tags: ['shop'] })
  const read = async (response: Promise<Response>) => (await response).text()
  return {
    server,
    calls: {
      list: () => read(server.fetch(url, { headers })),
      create: () =>
        read(server.fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })),
    },
  }
}

async function microsPerCall(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let made = 0; made < perRound; made += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / perRound
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function compare(kind: keyof Calls): Promise<void> {
  const opened = await Promise.all(Object.entries(variants).map(async ([name, of]) => ({ name, ...(await open(of)) })))
  const times = new Map<string, number[]>(opened.map(({ name }) => [name, []]))
  for (const { calls } of opened) for (let made = 0; made < 60; made += 1) await calls.create()
  for (let round = -2; round < rounds; round += 1) {
    for (const { name, calls } of opened) {
      const micros = await microsPerCall(calls[kind])
      if (round >= 0) times.get(name)?.push(micros)
    }
  }
  const floor = median(times.get('bare') ?? [])
  for (const [name, all] of times) {
    const micros = median(all)
    console.log(`${kind.padEnd(7)} ${name.padEnd(22)} ${micros.toFixed(0)} µs CPU, +${(micros - floor).toFixed(0)} µs`)
  }
  await Promise.all(opened.map(({ server }) => server.close()))
}

const heapMb = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

async function growth(kind: keyof Calls): Promise<void> {
  const { server, calls } = await open({ contract: 'collect' })
  for (let made = 0; made < 60; made += 1) await calls.create()
  for (let made = 0; made < 1000; made += 1) await calls.list()
  server.journal.clear()
  const before = heapMb()
  const calledMb: string[] = []
  for (let made = 1; made <= 50_000; made += 1) {
    await calls[kind]()
    if (made % 10_000 === 0) calledMb.push((heapMb() - before).toFixed(1))
  }
  console.log(`${kind.padEnd(7)} 50,000 calls: heap +${calledMb.join(', +')} MB after each 10,000`)
  await server.close()
}

await compare('list')
await compare('create')
await growth('list')
await growth('create')
