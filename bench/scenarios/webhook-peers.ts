import { fileURLToPath } from 'node:url'
import { bundle } from '../bundle.ts'
import { atMost, type Findings, row } from '../findings.ts'
import type { Options } from '../options.ts'
import { copyProgram, installPeers, peerVersions } from '../peers/install.ts'
import { probe } from '../processes/probe.ts'
import type { Progress } from '../progress.ts'
import { figures, interleave } from '../rounds.ts'
import { ratios } from '../spread.ts'
import type { Scenario } from './scenario.ts'

const versions = peerVersions.webhooks
const ourModule = fileURLToPath(new URL('../../packages/webhooks/dist/index.js', import.meta.url))

interface Library {
  /** In `peers/programs/webhook-verifiers.mjs`. */
  readonly id: string
  readonly name: string
  /** What a receiver imports. */
  readonly source?: string
}
const source = `export { verify } from ${JSON.stringify(ourModule)}`
const floor: Library = { id: 'floor', name: 'floor: createHmac, timingSafeEqual, JSON.parse' }
const ours: Library = { id: 'ours', name: 'ours, X-Service-Signature', source }
const oursStandard: Library = { id: 'oursStandard', name: 'ours, Standard Webhooks', source }
const peers: readonly Library[] = [
  { id: 'stripe', name: `stripe ${versions.stripe}`, source: `export { default } from 'stripe'` },
  { id: 'svix', name: `svix ${versions.svix}`, source: `export { Webhook } from 'svix'` },
  {
    id: 'standardwebhooks',
    name: `standardwebhooks ${versions.standardwebhooks}`,
    source: `export { Webhook } from 'standardwebhooks'`,
  },
  {
    id: 'octokit',
    name: `@octokit/webhooks ${versions['@octokit/webhooks']}`,
    source: `export { Webhooks } from '@octokit/webhooks'`,
  },
]
const verifying = [ours, oursStandard, ...peers]
const all = [floor, ...verifying]

/** Our verification beside others: speed, size, and how each takes deliveries that are unusual or forged. */
export const webhookPeers: Scenario = {
  steps: ({ rounds }) => all.length * rounds + verifying.length,
  async run(options, progress) {
    const installed = await installPeers('webhooks')
    await copyProgram(installed, 'webhook-verifiers')
    return [await speedAndSize(options, installed, progress), await underForgery(installed, progress)]
  },
}

async function speedAndSize({ rounds, seconds }: Options, installed: string, progress: Progress): Promise<Findings> {
  const program = await copyProgram(installed, 'webhook-cost')
  const samples = await interleave(all, rounds, async ({ id, name }, round) => {
    const times = [500, seconds * 1000].map(String)
    const sample = await probe<{ cpuMicrosPerCall: number }>(program, [id, ourModule, ...times])
    progress(`round ${round + 1}: ${name}: ${sample.cpuMicrosPerCall.toFixed(1)} µs`)
    return sample
  })
  const cpu = (of: Library) => figures(samples, of, ({ cpuMicrosPerCall }) => cpuMicrosPerCall)
  const sizes = new Map<Library, number>()
  for (const library of verifying)
    if (library.source !== undefined) sizes.set(library, (await bundle(library.source, installed)).gzipped / 1000)
  const sizeOf = (library: Library) => sizes.get(library) ?? Number.NaN
  const fastest = cpu(ours).map((_, round) => Math.min(...peers.map((peer) => cpu(peer)[round] ?? Number.NaN)))
  const withAge = peers.filter(({ id }) => id !== 'octokit')
  const fastestWithAge = cpu(ours).map((_, round) => Math.min(...withAge.map((peer) => cpu(peer)[round] ?? Number.NaN)))
  return {
    title: 'Webhooks: speed and size of verification, beside others',
    method:
      'A fresh process per measurement verifies and parses one delivery of 500 bytes, not all of it ASCII, again and again, from a string. Each takes the signature that its own platform sends; svix leaves parsing to its user, and it is counted. The size is a bundle for browsers by esbuild, minified, then gzip -9; stripe is a whole client.',
    columns: ['CPU µs/delivery', '/ floor', 'bundle, kB gzipped'],
    rows: all.map((library) =>
      row(
        library.name,
        cpu(library),
        ratios(cpu(library), cpu(floor)),
        sizes.has(library) ? [sizeOf(library)] : undefined,
      ),
    ),
    goals: [
      atMost('CPU, ours / fastest of the others', 1, ratios(cpu(ours), fastest)),
      atMost(
        'CPU, ours with Standard Webhooks / fastest of the others that check an age',
        1,
        ratios(cpu(oursStandard), fastestWithAge),
      ),
      atMost('size / smallest of the others', 1, [sizeOf(ours) / Math.min(...peers.map(sizeOf))]),
    ],
  }
}

const results = {
  right: 'right',
  missing: 'not offered',
  accepted: 'taken, and it must not be',
  refused: 'refused, and it is good',
  raw: 'an error of another class than a receiver catches',
  own: 'digests compared by its own loop',
} as const

async function underForgery(installed: string, progress: Progress): Promise<Findings> {
  const program = await copyProgram(installed, 'webhook-defects')
  const seen = new Map<Library, Readonly<Record<string, string>>>()
  for (const library of verifying) {
    seen.set(library, await probe<Record<string, string>>(program, [library.id, ourModule]))
    progress(`${library.name}: forged and unusual deliveries`)
  }
  const of = (library: Library) => seen.get(library) ?? {}
  const count = (library: Library, start: string) =>
    Object.values(of(library)).filter((result) => result.startsWith(start)).length
  const kinds = Object.entries(results)
  const names = Object.keys(of(ours))
  return {
    title: `Webhooks: ${names.length} unusual and forged deliveries`,
    method:
      'Each library verifies what its own platform would send, changed in one way. "raw": an error of another class than the one a receiver catches for a forgery, so that a stranger causes a 500. "accepted": a forgery, or a delivery that is too old, is taken. "missing": the library does not offer it; X-Service-Signature and GitHub’s header have no time that could be too old.',
    columns: [],
    rows: [],
    goals: [
      atMost('ours: taken, refused or thrown wrongly', 0, [
        ['accepted', 'refused', 'raw', 'own', 'faster']
          .flatMap((start) => [ours, oursStandard].map((library) => count(library, start)))
          .reduce((sum, value) => sum + value, 0),
      ]),
    ],
    details: [
      {
        head: ['', ...kinds.map(([, title]) => title)],
        lines: verifying.map((library) => [library.name, ...kinds.map(([start]) => `${count(library, start)}`)]),
      },
      {
        head: ['delivery', ...verifying.map(({ name }) => name)],
        lines: names.map((name) => [
          name,
          ...verifying.map((library) => of(library)[name]?.replace(/^right$/, '·') ?? ''),
        ]),
      },
    ],
  }
}
