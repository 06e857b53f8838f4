import { createServer } from '@service/server'
import { temporaryFolder } from '../data/folder.ts'
import { type SeededWorkspace, seed } from '../data/seed.ts'
import { atLeast, atMost, because, type Findings, row } from '../findings.ts'
import { largeBodies } from '../inbound/large-bodies.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type LoadSample, startLoad } from '../load/load.ts'
import type { PlannedRequest } from '../load/plan.ts'
import { createTicket } from '../load/ticket-requests.ts'
import { probe } from '../processes/probe.ts'
import { startOurs } from '../processes/server.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const clients = 32
const ticketsBefore = 10_000
/** More than any machine opens in one measurement: each error is sent once. */
const newErrors = 10_000

const variants = {
  creation: { name: 'a ticket created with a title' },
  newError: { name: 'a flat report of a new error, which opens a ticket' },
  knownError: { name: 'a flat report of a known error, which is counted' },
} as const
type Delivery = (typeof variants)[keyof typeof variants]
const deliveries: readonly Delivery[] = Object.values(variants)

interface ReadingSample {
  readonly bytes: number
  readonly readMs: number
  readonly parseMs: number
}
const bodies = Object.keys(largeBodies).map((name) => ({ name }))

/** What arrives: how fast a report becomes a ticket, and what the largest bodies cost. */
export const inbound: Scenario = {
  steps: (options) => contestSteps(deliveries, options) + bodies.length * options.rounds,
  async run(options, progress) {
    const taken = await measureDeliveries(options, progress)
    const read = await interleave(bodies, options.rounds, async ({ name }, round) => {
      const sample = await probe<ReadingSample>('inbound/reading-probe.ts', [name])
      progress(`round ${round + 1}: ${name}: ${Math.round(sample.readMs)} ms`)
      return sample
    })
    return [reportDeliveries(taken), reportReading(read)]
  },
}

const measureDeliveries: (...given: Parameters<Scenario['run']>) => Promise<Map<Delivery, LoadSample[]>> = async (
  options,
  progress,
) => {
  using folder = temporaryFolder()
  await using stack = new AsyncDisposableStack()
  const workspaces = await seed(folder.path('data'), ticketsBefore)
  const secrets = await enableErrors(folder.path('data'), workspaces)
  const server = stack.use(await startOurs(folder.path('data'), { SERVICE_LOAD_SHEDDING: 'false' }))
  const load = stack.use(startLoad())
  let sent = 0
  const requestsOf = (variant: Delivery): PlannedRequest[] => {
    if (variant === variants.creation) return workspaces.map(createTicket)
    if (variant === variants.knownError) return secrets.map((secret) => reportOf(secret, 0))
    sent += newErrors
    return Array.from({ length: newErrors }, (_, index) =>
      reportOf(secrets[index % secrets.length] ?? { id: 0, secret: '' }, sent + index),
    )
  }
  return await contest(deliveries, { ...options, progress }, (variant, seconds) =>
    load.measure(server, { clients, seconds, requests: requestsOf(variant) }),
  )
}

interface ErrorSecret {
  readonly id: number
  readonly secret: string
}

async function enableErrors(data: string, workspaces: readonly SeededWorkspace[]): Promise<readonly ErrorSecret[]> {
  const { admin, close } = await createServer({ data, synchronous: 'normal' })
  const secrets: ErrorSecret[] = []
  for (const { id } of workspaces) {
    const { secret } = await admin.integrations.rotateSecret({ workspace: id, integration: 'errors' })
    secrets.push({ id, secret })
  }
  await close()
  return secrets
}

/** Digits in a message are no part of what tells errors apart, so the number is written in letters. */
const inLetters = (number: number) => String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')

const reportOf = ({ id, secret }: ErrorSecret, number: number): PlannedRequest => ({
  method: 'POST',
  path: `/api/webhooks/${id}/errors`,
  headers: { 'x-service-webhook-secret': secret, 'content-type': 'application/json' },
  body: JSON.stringify({
    message: `Step ${inLetters(number)} of the invoice export found no tax`,
    exception: 'InvoiceError',
    file: 'src/invoices/export.ts',
    line: 42,
    environment: 'production',
    url: 'https://shop.example/invoices',
    method: 'POST',
  }),
  expectedStatus: 200,
})

const whyNotMore = {
  known:
    'beside the error itself, its report is kept in the place of an old one, its day is counted and the delivery is noted: as many statements as a creation has, over more and larger rows. Reading takes a twentieth.',
  new: 'a new error is a ticket and more: its group, its report, its day and the delivery are rows of their own, and the ticket is written into the group, which makes ten statements where a creation has five.',
}

function reportDeliveries(samples: Map<Delivery, LoadSample[]>): Findings {
  const rate = (variant: Delivery) => figures(samples, variant, (sample) => sample.requestsPerSecond)
  const cpu = (variant: Delivery) => figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  const toCreation = (variant: Delivery) => ratios(rate(variant), rate(variants.creation))
  return {
    title: 'Inbound: an error report beside the creation of a ticket',
    method: `${clients} keep-alive connections, ten workspaces in turn, SQLite with \`synchronous=FULL\`. A report has seven flat fields and a secret; what it opens or counts is on disk when it is answered.`,
    columns: ['requests/s', 'CPU µs/request', 'requests/s / creation'],
    rows: deliveries.map((variant) => row(variant.name, rate(variant), cpu(variant), toCreation(variant))),
    goals: [
      because(
        atLeast('reports of known errors a second / creations', 0.8, toCreation(variants.knownError)),
        whyNotMore.known,
      ),
      because(
        atLeast('reports of new errors a second / creations', 0.8, toCreation(variants.newError)),
        whyNotMore.new,
      ),
    ],
  }
}

const whyNotLess =
  'a profile is flat: nothing takes a tenth of the time beside collecting garbage. Parsing, trying the formats, walking what is of none, the rules of the messages, frames, masking and writing each take their part of a thousand reports.'

function reportReading(samples: Map<(typeof bodies)[number], ReadingSample[]>): Findings {
  const rows = bodies.map((body) => ({
    name: body.name,
    size: figures(samples, body, ({ bytes }) => bytes / 1_000_000),
    read: figures(samples, body, ({ readMs }) => readMs),
    parse: figures(samples, body, ({ parseMs }) => parseMs),
  }))
  return {
    title: 'Inbound: reading the largest bodies of error reports',
    method:
      'A thousand reports in one body: decoded, read, masked and given their keys, without the database, in a fresh process that has read it four times before. Large bodies are read by a thread of their own.',
    columns: ['MB', 'CPU ms', '/ JSON.parse'],
    rows: rows.map(({ name, size, read, parse }) => row(name, size, read, ratios(read, parse))),
    goals: [
      because(
        atMost('the slowest of what is sent as it is, CPU ms', 50, slowest(rows.filter(isSentAsItIs))),
        whyNotLess,
      ),
      because(atMost('the slowest of all, CPU ms', 50, slowest(rows)), whyNotLess),
    ],
  }
}

const isSentAsItIs = ({ name }: { readonly name: string }) => !name.startsWith('unpacked')

/** Round by round. */
const slowest = (rows: readonly { readonly read: readonly number[] }[]): number[] =>
  (rows[0]?.read ?? []).map((_, round) => Math.max(...rows.map(({ read }) => read[round] ?? Number.NaN)))
