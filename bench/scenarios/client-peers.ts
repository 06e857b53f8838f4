import { fileURLToPath } from 'node:url'
import { type Bundle, bundle } from '../bundle.ts'
import { faultScenarios } from '../faults/fault-scenarios.ts'
import { type Defect, defects, judge } from '../faults/judge.ts'
import { hangsAfterMs, runFault, timeoutMs } from '../faults/run-fault.ts'
import { atMost, because, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { copyProgram, installPeers, peerVersions } from '../peers/install.ts'
import { probe } from '../processes/probe.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { differences } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const versions = peerVersions.clients
const ourModule = fileURLToPath(new URL('../../packages/client/dist/index.js', import.meta.url))

interface Peer {
  /** In `peers/programs/clients.mjs`. */
  readonly id: string
  readonly name: string
  /** What an application imports; nothing for what needs no import. */
  readonly source?: string
}
const ours: Peer = { id: 'ours', name: 'ours', source: `export { createClient } from ${JSON.stringify(ourModule)}` }
const peers: readonly Peer[] = [
  ours,
  { id: 'stripe', name: `stripe ${versions.stripe}`, source: `export { default } from 'stripe'` },
  { id: 'openai', name: `openai ${versions.openai}`, source: `export { default } from 'openai'` },
  {
    id: 'octokitCore',
    name: `@octokit/core ${versions['@octokit/core']}`,
    source: `export { Octokit } from '@octokit/core'`,
  },
  { id: 'octokit', name: `octokit ${versions.octokit}`, source: `export { Octokit } from 'octokit'` },
  { id: 'resend', name: `resend ${versions.resend}`, source: `export { Resend } from 'resend'` },
  {
    id: 'openapiFetch',
    name: `openapi-fetch ${versions['openapi-fetch']}`,
    source: `export { default } from 'openapi-fetch'`,
  },
  { id: 'ky', name: `ky ${versions.ky}`, source: `export { default } from 'ky'` },
  { id: 'fetch', name: 'fetch' },
]
const calls = ['list', 'create'] as const
// octokit lets a creation pass each second, so what a call of it costs is told by its core.
const costs = peers
  .filter(({ id }) => id !== 'octokit')
  .flatMap((peer) => calls.map((call) => ({ name: `${peer.name}, ${call}`, peer, call })))
const cases = peers.flatMap((peer) => faultScenarios.map((scenario) => ({ peer, scenario })))

/** Our client beside others: what a call costs, what it weighs, and what becomes of a call when the platform fails. */
export const clientPeers: Scenario = {
  steps: ({ rounds }) => costs.length * rounds + cases.length,
  async run(options, progress) {
    const installed = await installPeers('clients')
    const clients = await copyProgram(installed, 'clients')
    const program = await copyProgram(installed, 'client-fault')
    return [await costAndSize(options, { installed, clients, progress }), await underFaults(program, progress)]
  },
}

interface Place {
  readonly installed: string
  readonly clients: string
  readonly progress: Progress
}

const whyCallsCostMore =
  'the cheapest checks neither what is sent nor the shape of what comes back, and takes more of the faults below wrongly.'

async function costAndSize({ rounds, seconds }: Options, { installed, clients, progress }: Place): Promise<Findings> {
  const samples = await interleave(costs, rounds, async ({ name, peer, call }, round) => {
    const times = [4000, seconds * 1000].map(String)
    const sample = await probe<{ cpuMicrosPerCall: number }>('client/probe.ts', [
      ...[peer.id, call, ...times],
      ...[clients, ourModule],
    ])
    progress(`round ${round + 1}: ${name}: ${sample.cpuMicrosPerCall.toFixed(1)} µs`)
    return sample
  })
  const sizes = new Map<Peer, Bundle>()
  for (const peer of peers) if (peer.source !== undefined) sizes.set(peer, await bundle(peer.source, installed))
  const cpu = (of: Peer, call: string) => {
    const cost = costs.find(({ peer, call: known }) => peer === of && known === call)
    return cost === undefined ? [] : figures(samples, cost, ({ cpuMicrosPerCall }) => cpuMicrosPerCall)
  }
  const fetch = peers.at(-1) ?? ours
  const over = (of: Peer, call: string) => differences(cpu(of, call), cpu(fetch, call))
  const libraries = peers.filter((peer) => peer !== ours && peer !== fetch)
  // The others leave retries and time limits to their callers.
  const alike = libraries.filter(({ id }) => ['stripe', 'openai', 'ky'].includes(id))
  const withRetries = libraries.filter(({ id }) => ['stripe', 'openai', 'octokit'].includes(id))
  const least = (of: readonly Peer[], call: string) =>
    cpu(ours, call).map((_, round) => Math.min(...of.map((peer) => over(peer, call)[round] ?? Number.NaN)))
  const size = (peer: Peer) => (sizes.get(peer)?.gzipped ?? Number.NaN) / 1000
  return {
    title: 'Clients: cost of a call and size, beside others',
    method:
      'A fresh process per measurement, a global `fetch` that answers at once; each is set up as its documentation shows and reads the answer as JSON; ours also checks what is sent and the shape of the answer. stripe uses its client for fetch here. The size is that of a bundle for browsers by esbuild, minified, with dependencies, then gzip -9. resend and openapi-fetch neither retry nor limit the time; openapi-fetch and ky know no platform. octokit holds its calls back, so its core stands for it.',
    columns: [
      'list, CPU µs',
      'over fetch, µs',
      'create, CPU µs',
      'over fetch, µs',
      'bundle, kB gzipped',
      'with what is loaded later',
    ],
    rows: peers.map((peer) => {
      const figuresOf = calls.flatMap((call) => [cpu(peer, call), over(peer, call)])
      const known = figuresOf.map((values) => (values.length === 0 ? undefined : values))
      return row(peer.name, ...known, ...sizesOf(sizes.get(peer)))
    }),
    goals: [
      ...calls.map((call) => {
        const says = `${call}: µs over fetch, less those of the cheapest of stripe, openai and ky`
        return because(atMost(says, 0, differences(over(ours, call), least(alike, call))), whyCallsCostMore)
      }),
      atMost('size / the smallest that retries and knows its platform', 1, [
        size(ours) / Math.min(...withRetries.map(size)),
      ]),
    ],
  }
}

const sizesOf = (of: Bundle | undefined) => [of && [of.gzipped / 1000], of && [of.gzippedInAll / 1000]]

async function underFaults(program: string, progress: Progress): Promise<Findings> {
  const verdicts = new Map<Peer, Map<string, readonly Defect[]>>(peers.map((peer) => [peer, new Map()]))
  const waiting = cases.toSorted((one, other) => one.scenario.name.localeCompare(other.scenario.name))
  // Most of their time they wait, so many go on at once.
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { peer, scenario } = next
      const found = judge(scenario, await runFault(scenario, { name: peer.id, program, module: ourModule }))
      verdicts.get(peer)?.set(scenario.name, found)
      progress(`${peer.name}, ${scenario.name}: ${found.join(', ') || 'right'}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return faultFindings((peer, name) => verdicts.get(peer)?.get(name) ?? [])
}

function faultFindings(verdictOf: (peer: Peer, name: string) => readonly Defect[]): Findings {
  const kinds = Object.keys(defects) as Defect[] // Object.keys forgets the literal keys
  const names = faultScenarios.map(({ name }) => name)
  const count = (peer: Peer, kind?: Defect) =>
    names.filter((name) => {
      const found = verdictOf(peer, name)
      return kind === undefined ? found.length === 0 : found.includes(kind)
    }).length
  const meanings = kinds.map((kind) => `"${kind}": ${defects[kind]}`).join('; ')
  return {
    title: `Clients: ${names.length} faults`,
    method: `A platform on loopback that fails in one way, and a process for each call. Each client is as its documentation sets it up, with a limit of ${timeoutMs / 1000} s where it has one, and is given ${hangsAfterMs / 1000} s. ${meanings}. fetch, resend and openapi-fetch leave time limits and retries to their callers, so what they do here is as they promise.`,
    columns: [],
    rows: [],
    goals: [atMost('ours: faults that are not taken as they should', 0, [names.length - count(ours)])],
    details: [
      {
        head: ['', 'right', ...kinds],
        lines: peers.map((peer) => [peer.name, ...[undefined, ...kinds].map((kind) => `${count(peer, kind)}`)]),
      },
      {
        head: ['fault', ...peers.map(({ name }) => name)],
        lines: names.map((name) => [name, ...peers.map((peer) => verdictOf(peer, name).join(', ') || '·')]),
      },
    ],
  }
}
