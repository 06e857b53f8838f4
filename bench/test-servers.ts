import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createTestServer } from '@service/server/testing'

// The costs of a test server by seed: CPU time of the first server of a process, and of the next ones, which copy its
// state. Usage: node bench/test-servers.ts

const seeds = ['empty', 'demo', 'edge', 'company', 'large']
const rounds = 5
const clock = '2026-01-01T00:00:00Z'

async function cpuMs(seed: string): Promise<number> {
  const before = process.cpuUsage()
  const server = await createTestServer({ seed, clock })
  const { user, system } = process.cpuUsage(before)
  await server.close()
  return (user + system) / 1000
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

async function measureHere(seed: string): Promise<{ first: number; next: number }> {
  const first = await cpuMs(seed)
  const next: number[] = []
  while (next.length < 10) next.push(await cpuMs(seed))
  return { first, next: median(next) }
}

const [, script = fileURLToPath(import.meta.url), only] = process.argv
if (only !== undefined) process.stdout.write(JSON.stringify(await measureHere(only)))
else {
  const measured = new Map(seeds.map((seed) => [seed, { first: [] as number[], next: [] as number[] }]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [seed, { first, next }] of measured) {
      const result: { first: number; next: number } = JSON.parse(
        execFileSync(process.execPath, [script, seed], { encoding: 'utf8' }),
      )
      first.push(result.first)
      next.push(result.next)
    }
  }
  const demo = median(measured.get('demo')?.first ?? [])
  process.stdout.write(
    '| seed | first: CPU ms | first / `demo` | next: CPU ms | next / first |\n|---|--:|--:|--:|--:|\n',
  )
  for (const [seed, { first, next }] of measured) {
    const [a, b] = [median(first), median(next)]
    process.stdout.write(
      `| \`${seed}\` | ${a.toFixed(0)} | ${(a / demo).toFixed(2)} | ${b.toFixed(1)} | ${(b / a).toFixed(3)} |\n`,
    )
  }
}
