import { type CallerName, callerNames } from '../client/callers.ts'
import { atMost, because, type Findings, type Goal, row } from '../findings.ts'
import { probe } from '../processes/probe.ts'
import { figures, interleave } from '../rounds.ts'
import { differences, ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const calls = ['list', 'create'] as const
type Call = (typeof calls)[number]

const warmUpSeconds = 1.5

interface ClientVariant {
  readonly name: string
  readonly caller: CallerName
  readonly call: Call
}
const all: readonly ClientVariant[] = calls.flatMap((call) =>
  callerNames.map((caller) => ({ name: `${caller}, ${call}`, caller, call })),
)

type ClientSample = { readonly cpuMicrosPerCall: number }

/** What the client costs on top of the request itself, with a network that answers at once. */
export const client: Scenario = {
  steps: ({ rounds }) => all.length * rounds,
  async run({ rounds, seconds }, progress) {
    const samples = await interleave(all, rounds, async ({ name, caller, call }, round) => {
      const times = [warmUpSeconds, seconds].map((length) => String(length * 1000))
      const sample = await probe<ClientSample>('client/probe.ts', [caller, call, ...times])
      progress(`round ${round + 1}: ${name}: ${sample.cpuMicrosPerCall.toFixed(1)} µs`)
      return sample
    })
    return report(samples)
  },
}

function report(samples: Map<ClientVariant, ClientSample[]>): Findings {
  const cpu = (caller: CallerName, call: Call) => {
    const variant = all.find((known) => known.caller === caller && known.call === call)
    return variant === undefined ? [] : figures(samples, variant, (sample) => sample.cpuMicrosPerCall)
  }
  return {
    title: 'Client: cost of a call in process',
    method: `A fresh process per measurement, ${warmUpSeconds} s of warm-up, a global \`fetch\` that answers at once. \`list\` reads one ticket, \`create\` sends one; all read the answer as JSON, and only createClient checks its shape. "Fully configured" is ky with retries, a time limit and two hooks.`,
    columns: ['CPU µs/call', 'over raw fetch, µs', '/ ky, fully configured'],
    rows: all.map(({ name, caller, call }) =>
      row(
        name,
        cpu(caller, call),
        differences(cpu(caller, call), cpu('raw fetch', call)),
        ratios(cpu(caller, call), cpu('ky, fully configured', call)),
      ),
    ),
    goals: calls.flatMap((call) => goalsOf(call, cpu)),
  }
}

const whyNotLess =
  'of what a call takes, a profile of creations has an eighth in noting who has called, for the stack of an error, a tenth in comparing body and answer with their schemas, a tenth in collecting garbage, and the rest evenly over the stream and the decoder of the answer, the time limit, headers and promises.'

function goalsOf(call: Call, cpu: (caller: CallerName, call: Call) => number[]): Goal[] {
  const ours = cpu('createClient', call)
  return [
    because(atMost(`${call}: CPU µs over raw fetch`, 15, differences(ours, cpu('raw fetch', call))), whyNotLess),
    atMost(`${call}: ours / ky fully configured`, 1.1, ratios(ours, cpu('ky, fully configured', call))),
  ]
}
