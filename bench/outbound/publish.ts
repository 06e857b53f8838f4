import { createServer } from '@service/server'
import type { temporaryFolder } from '../data/folder.ts'
import { copyData, type SeededWorkspace, seed } from '../data/seed.ts'
import { atMost, because, type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { Options } from '../options.ts'
import { probe } from '../processes/probe.ts'
import { type ServerProcess, startSender } from '../processes/server.ts'
import type { Progress } from '../progress.ts'
import { figures } from '../rounds.ts'
import { differences, ratios } from '../spread.ts'
import type { Receiver } from './receiver.ts'

// What it costs the creation of a ticket that somebody is told of it.

type Sending = 'nobody' | 'held' | 'kept' | 'sent'

interface Variant {
  readonly name: string
  readonly sending: Sending
}

const variants: Readonly<Record<Sending, Variant>> = {
  nobody: { name: 'no subscription', sending: 'nobody' },
  held: { name: 'one, disabled: the delivery is kept with the ticket', sending: 'held' },
  kept: { name: 'one, at 1 delivery a minute: kept, and the worker told of each', sending: 'kept' },
  sent: { name: 'one, every delivery sent and recorded by the same process', sending: 'sent' },
}
const all = Object.values(variants)
const clients = 32

export const publishSteps = (options: Options) => 2 + contestSteps(all, options)

export async function publish(
  options: Options & { readonly progress: Progress; readonly receiver: Receiver },
  folder: ReturnType<typeof temporaryFolder>,
): Promise<Findings> {
  const { progress, receiver } = options
  await using stack = new AsyncDisposableStack()
  const workspaces = await seed(folder.path('publish'), 1000)
  const servers = new Map<Variant, ServerProcess>()
  for (const variant of all) {
    const data = folder.path(`publish-${variant.sending}`)
    copyData(folder.path('publish'), data)
    await subscribe(data, workspaces, { url: receiver.url, sending: variant.sending })
    servers.set(variant, stack.use(await startSender(data)))
  }
  progress('made four databases')
  const load = stack.use(startLoad())
  const samples = await contest(all, options, (variant, seconds) => {
    const server = servers.get(variant)
    if (server === undefined) throw new ReferenceError(`The server of "${variant.name}" was not started.`)
    return load.measure(server, { clients, seconds, requests: requestsOf(workspaces) })
  })
  const fanOut = await probe<number[]>('outbound/fan-out-probe.ts', [folder.path('fan-out'), receiver.url])
  progress('measured one event to 10,000 subscriptions')
  return report(samples, fanOut)
}

async function subscribe(
  data: string,
  workspaces: readonly SeededWorkspace[],
  { url, sending }: { url: string; sending: Sending },
): Promise<void> {
  if (sending === 'nobody') return
  await using server = await createServer({ data, egressAllow: ['127.0.0.1'] })
  for (const { id: workspace_id } of workspaces) {
    const rate = sending === 'kept' ? { rate_per_minute: 1 } : {}
    const { id } = await server.admin.webhooks.create(
      { workspace: workspace_id },
      { url, events: ['ticket.created'], ...rate },
    )
    if (sending === 'held') await server.admin.webhooks.disable({ workspace: workspace_id, id })
  }
}

const requestsOf = (workspaces: readonly SeededWorkspace[]) =>
  workspaces.map(({ id, token }, turn) => ({
    method: 'POST' as const,
    path: `/api/v1/workspaces/${id}/tickets`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ title: `The invoice export prints the total without tax, case ${turn}`, priority: 'high' }),
    expectedStatus: 201,
  }))

function report(samples: Map<Variant, LoadSample[]>, fanOut: readonly number[]): Findings {
  const cpu = (variant: Variant) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const rate = (variant: Variant) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  const toNobody = (variant: Variant) => ratios(cpu(variant), cpu(variants.nobody))
  const timeOf = (variant: Variant) => ratios(rate(variants.nobody), rate(variant))
  return {
    title: 'Outbound: what publishing costs',
    method: `POST of a ticket over HTTP, ${clients} clients, SQLite with \`synchronous=FULL\`. Publishing is what the creation itself does: it keeps a delivery in its transaction (first with a disabled subscription, so that nothing else happens). All else is sending, the worker's own work, here in the same process and on the same core: taking note of what has come (1 a minute: the queue is leased, found to be ahead of its rate and let go each time), and signing, sending and recording. CPU is that of the whole process. The event to 10,000 subscriptions is one ticket created in process.`,
    columns: ['CPU µs/ticket', 'over nobody, µs', 'CPU / nobody', 'requests/s'],
    rows: [
      ...all.map((variant) =>
        row(
          variant.name,
          cpu(variant),
          differences(cpu(variant), cpu(variants.nobody)),
          toNobody(variant),
          rate(variant),
        ),
      ),
    ],
    goals: [
      atMost('publishing, in the ticket’s transaction: time per ticket / nobody', 1.15, timeOf(variants.held)),
      because(
        atMost('publishing, in the ticket’s transaction: CPU per ticket / nobody', 1.15, toNobody(variants.held)),
        'a delivery is a row in a table with four indexes, whose leaf pages are written by each commit. Two of them could hold finished deliveries only, which would save some 7 µs, but a list of what waits would be sorted anew at each look.',
      ),
      atMost('one event to 10,000 subscriptions, ms', 250, fanOut),
    ],
  }
}
