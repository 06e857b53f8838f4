import type { SeededWorkspace } from '../data/seed.ts'
import { type Findings, row } from '../findings.ts'
import { contest, contestSteps } from '../load/contest.ts'
import { type Load, type LoadSample, startLoad } from '../load/load.ts'
import { createTicket, readTickets } from '../load/ticket-requests.ts'
import type { Options } from '../options.ts'
import type { ServerProcess } from '../processes/server.ts'
import type { Progress } from '../progress.ts'
import { figures } from '../rounds.ts'
import { ratios, spreadOf } from '../spread.ts'

/** Something that grows, and a server at each of its sizes. */
export interface Growth {
  readonly title: string
  readonly method: string
  readonly file: string
  readonly axis: string
  readonly sizes: readonly number[]
  prepare(size: number): Promise<{ readonly server: ServerProcess; readonly workspaces: readonly SeededWorkspace[] }>
}

const clients = 32

const kinds = [
  { label: 'a creation', requests: createTicket },
  {
    label: 'a creation and the list after it',
    requests: (workspace: SeededWorkspace) => [createTicket(workspace), readTickets(workspace)],
  },
]

const variantsOf = (sizes: readonly number[]) =>
  sizes.flatMap((size) => kinds.map((kind) => ({ name: `${shortened(size)}: ${kind.label}`, size, kind })))

export const growthSteps = (sizes: readonly number[], options: Options) =>
  sizes.length + contestSteps(variantsOf(sizes), options)

/** The same creations and lists at each size, in interleaved rounds. */
export async function measureGrowth(growth: Growth, options: Options, progress: Progress): Promise<Findings> {
  await using stack = new AsyncDisposableStack()
  const prepared = new Map<number, Awaited<ReturnType<Growth['prepare']>>>()
  for (const size of growth.sizes) {
    const made = await growth.prepare(size)
    stack.use(made.server)
    prepared.set(size, made)
    progress(`${shortened(size)} ${growth.axis}`)
  }
  const load: Load = stack.use(startLoad())
  const variants = variantsOf(growth.sizes)
  const samples = await contest(variants, { ...options, progress }, ({ size, kind }, seconds) => {
    const made = prepared.get(size)
    if (made === undefined) throw new ReferenceError(`Nothing was prepared for ${size}.`)
    const requests = made.workspaces.flatMap((workspace) => kind.requests(workspace))
    return load.measure(made.server, { clients, seconds, requests })
  })
  return report(growth, variants, samples)
}

type Variant = ReturnType<typeof variantsOf>[number]

function report(
  { title, method, file, axis, sizes }: Growth,
  variants: readonly Variant[],
  samples: Map<Variant, LoadSample[]>,
): Findings {
  const cpuOf = (size: number, kind: (typeof kinds)[number]) => {
    const variant = variants.find((each) => each.size === size && each.kind === kind)
    return variant === undefined ? [] : figures(samples, variant, (sample) => sample.cpuMicrosPerRequest)
  }
  const [creation, both] = kinds as [(typeof kinds)[number], (typeof kinds)[number]]
  const created = (size: number) => cpuOf(size, creation)
  // Two requests in turn: their mean twice is what both cost, and less a creation it is the list.
  const listed = (size: number) =>
    cpuOf(size, both).map((mean, round) => 2 * mean - (created(size)[round] ?? Number.NaN))
  const [smallest = 0] = sizes
  const median = (values: readonly number[]) => spreadOf(values).median
  return {
    title,
    method,
    columns: ['creation, CPU µs', '/ the smallest', 'list after a change, CPU µs', '/ the smallest'],
    rows: sizes.map((size) =>
      row(
        `${shortened(size)} ${axis}`,
        created(size),
        ratios(created(size), created(smallest)),
        listed(size),
        ratios(listed(size), listed(smallest)),
      ),
    ),
    goals: [],
    curves: [
      {
        file,
        title,
        unit: 'CPU µs',
        axis,
        steps: sizes.map(shortened),
        lines: [
          { label: 'a creation', values: sizes.map((size) => median(created(size))) },
          { label: 'a list after a change', values: sizes.map((size) => median(listed(size))) },
        ],
      },
    ],
  }
}

/** 10000 → `10 k`. */
export function shortened(size: number): string {
  if (size >= 1_000_000) return `${size / 1_000_000} M`
  return size >= 1000 ? `${size / 1000} k` : String(size)
}
