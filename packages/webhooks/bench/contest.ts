/**
 * Measures several ways to do one thing side by side. Time is CPU time, as wall time says more about the neighbours. All
 * take turns in each round, and ratios are paired inside a round, so that a slow second slows them all.
 */
import { print } from './print.ts'

export interface Contest {
  readonly contestants: Readonly<Record<string, () => unknown>>
  readonly rounds: number
  /** Some kernels count CPU time in steps of 4 ms, so a round has to be long. */
  readonly callsPerRound: number
  /** CPU time so far, in microseconds. */
  readonly cpuTime: () => { readonly user: number; readonly system: number }
}

export interface Target {
  readonly faster: string
  readonly than: string
  readonly asked: number
}

/** Prints a line for each contestant, the ratio to the first, and what was asked. A miss sets the exit code. */
export async function run(contest: Contest, targets: readonly Target[]): Promise<void> {
  const times = await measure(contest)
  const [first = ''] = times.keys()
  for (const [name, values] of times) {
    const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(2))
    const ratio = ratioOf(times, { faster: name, than: first })
    print(`${name.padEnd(38)} ${median} µs (${low}–${high})  ${ratio.toFixed(2)} × ${first}`)
  }
  for (const target of targets) {
    const ratio = ratioOf(times, target)
    print(`${target.faster} / ${target.than}: ${ratio.toFixed(2)} (asked: ${target.asked})`)
    if (!(ratio >= target.asked)) process.exitCode = 1
  }
}

async function measure(contest: Contest): Promise<Map<string, number[]>> {
  const times = new Map(Object.keys(contest.contestants).map((name) => [name, [] as number[]]))
  for (let round = -2; round < contest.rounds; round++) {
    // Each round begins with another, as the first pays for the garbage of the last.
    const order = Object.entries(contest.contestants)
    order.push(...order.splice(0, (round + 2) % order.length))
    for (const [name, call] of order) {
      const time = await timeOf(call, contest)
      // The first rounds warm up.
      if (round >= 0) times.get(name)?.push(time)
    }
  }
  return times
}

async function timeOf(call: () => unknown, { callsPerRound, cpuTime }: Contest): Promise<number> {
  const before = cpuTime()
  for (let number = 0; number < callsPerRound; number++) {
    const result = call()
    if (result instanceof Promise) await result
  }
  const after = cpuTime()
  return (after.user - before.user + after.system - before.system) / callsPerRound
}

function ratioOf(times: ReadonlyMap<string, number[]>, { faster, than }: Omit<Target, 'asked'>): number {
  const base = times.get(than) ?? []
  return quantile(
    (times.get(faster) ?? []).map((time, round) => (base[round] ?? Number.NaN) / time),
    0.5,
  )
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}
