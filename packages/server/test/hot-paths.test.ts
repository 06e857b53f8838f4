import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cliPath, runCli } from './cli-process.ts'
import { freshDirectory } from './fresh-directory.ts'

// Guards the cost of frequent operations by what they do, not by how long they take: the same code allocates the same on
// every machine. Each limit is 5 % above the measurement. If a change has a reason to cost more, raise the limit and give
// the reason in the commit.

const run = promisify(execFile)

test('a request stays within its allocation limit', async () => {
  const youngGeneration = ['--max-semi-space-size=256', '--min-semi-space-size=256', '--expose-gc']
  const script = fileURLToPath(new URL('./allocations.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [...youngGeneration, script])
  const kilobytes = Object.entries<number>(JSON.parse(stdout)).map(([name, bytes]) => [name, bytes / 1000] as const)
  const limits: Readonly<Record<string, number>> = { create: 88, list: 40, refusal: 32 }
  expect(kilobytes.map(([name]) => name)).toEqual(Object.keys(limits))
  for (const [name, each] of kilobytes) expect(each, name).toBeLessThanOrEqual(limits[name] ?? 0)
})

test('a request stays within its limits of database statements and writes', async () => {
  const script = fileURLToPath(new URL('./database-work.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [script])
  const work = Object.entries<{ statements: number; kilobytes: number }>(JSON.parse(stdout))
  const limits: Readonly<Record<string, readonly [statements: number, kilobytes: number]>> = {
    create: [12, 39], // three indexes serve the sorted and filtered lists of such a ticket
    'list that has changed': [4, 0],
    'list that has not': [2, 0],
  }
  expect(work.map(([name]) => name)).toEqual(Object.keys(limits))
  for (const [name, { statements, kilobytes }] of work) {
    const [maxStatements = 0, maxKilobytes = 0] = limits[name] ?? []
    expect(statements, `statements of ${name}`).toBeLessThanOrEqual(maxStatements)
    expect(kilobytes, `kB of ${name}`).toBeLessThanOrEqual(maxKilobytes)
  }
})

test('a start stays within its limit of loaded files', async () => {
  const coverage = await freshDirectory()
  const data = await freshDirectory()
  const cli = runCli(['start', '--port', '0', '--data', data, '--json'], { NODE_V8_COVERAGE: coverage })
  await cli.firstLine
  cli.child.kill('SIGTERM')
  expect(await cli.ended).toBe(0)
  const loaded = await scriptsIn(coverage)
  const own = loaded.filter((file) => file.startsWith(dirname(cliPath)))
  const sizes = await Promise.all(own.map(async (file) => (await stat(file)).size))
  expect(own.length).toBeGreaterThan(10)
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThanOrEqual(1885)
  expect(loaded.length).toBeLessThanOrEqual(108)
})

/** The files that a process loaded, from V8's coverage report. */
async function scriptsIn(coverage: string): Promise<string[]> {
  const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(`${coverage}/${name}`, 'utf8')))
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  ) // V8's format
  return [...new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)))]
}
