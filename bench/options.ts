import { parseArgs } from 'node:util'

export const scenarioNames = [
  'list',
  'list-cache',
  'create',
  'client',
  'boot',
  'size',
  'outbound',
  'double',
  'admin-lists',
  'peers',
  'client-peers',
  'webhook-peers',
  'delivery-peers',
  'dashboard',
  'memory',
  'inbound',
  'scale',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** What a person asked for on the command line. */
export interface Options {
  readonly only: readonly ScenarioName[]
  /** Interleaved rounds of each comparison. */
  readonly rounds: number
  /** How long each measurement of a round takes. */
  readonly seconds: number
  /** A file that gets everything as JSON. */
  readonly json: string | undefined
  /** Whether RESULTS.md is written. */
  readonly write: boolean
  readonly help: boolean
}

export const help = `Usage: pnpm bench [options]

Runs floors and ours side by side, in interleaved rounds, and prints medians, ranges, ratios and goals.

  --only <names>     of ${scenarioNames.join(', ')}; separated by commas; all but scale by default, which takes half an hour
  --rounds <n>       interleaved rounds, default 9
  --seconds <n>      length of one measurement, default 1
  --json <file>      also write every figure as JSON
  --write            also put the sections that were measured into bench/RESULTS.md, and charts into docs/charts
  --help             show this

CPU per request is read from /proc, so the HTTP scenarios need Linux. With taskset the server gets a core of its own.`

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      only: { type: 'string', default: scenarioNames.filter((name) => name !== 'scale').join(',') },
      rounds: { type: 'string', default: '9' },
      seconds: { type: 'string', default: '1' },
      json: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { json, write, help } = values
  return {
    only: values.only.split(',').map(toScenarioName),
    rounds: toPositive('--rounds', values.rounds),
    seconds: toPositive('--seconds', values.seconds),
    json,
    write,
    help,
  }
}

function toScenarioName(text: string): ScenarioName {
  const name = scenarioNames.find((known) => known === text.trim())
  if (name === undefined) throw new TypeError(`--only knows ${scenarioNames.join(', ')}; "${text}" is none of them.`)
  return name
}

function toPositive(option: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new TypeError(`${option} must be a number above 0; it is "${text}".`)
}
