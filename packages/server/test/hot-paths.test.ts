import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { cliPath, freshDirectory, runCli } from './cli-process.ts'

// What is done often is kept from getting dearer unseen, by what it does and not by how long it takes: the same code
// allocates the same on every machine. A limit is a twentieth above what was measured when it was set. Who has a reason to
// do more raises it, and says why in the change.

const run = promisify(execFile)

test('a request allocates no more than it did', { timeout: 60_000 }, async () => {
  const youngGeneration = ['--max-semi-space-size=256', '--min-semi-space-size=256', '--expose-gc']
  const script = fileURLToPath(new URL('./allocations.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [...youngGeneration, script])
  const kilobytes = Object.entries<number>(JSON.parse(stdout)).map(([name, bytes]) => [name, bytes / 1000] as const)
  const limits: Readonly<Record<string, number>> = { create: 88, list: 40, refusal: 32 }
  expect(kilobytes.map(([name]) => name)).toEqual(Object.keys(limits))
  for (const [name, each] of kilobytes) expect(each, name).toBeLessThanOrEqual(limits[name] ?? 0)
})

test('a request asks the database no more than it did, and writes no more', { timeout: 60_000 }, async () => {
  const script = fileURLToPath(new URL('./database-work.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [script])
  const work = Object.entries<{ statements: number; kilobytes: number }>(JSON.parse(stdout))
  const limits: Readonly<Record<string, readonly [statements: number, kilobytes: number]>> = {
    create: [12, 26],
    'list that has changed': [4, 0],
    'list that has not': [2, 0],
  }
  expect(work.map(([name]) => name)).toEqual(Object.keys(limits))
  for (const [name, { statements, kilobytes }] of work) {
    const [mostStatements = 0, mostKilobytes = 0] = limits[name] ?? []
    expect(statements, `statements of ${name}`).toBeLessThanOrEqual(mostStatements)
    expect(kilobytes, `kB of ${name}`).toBeLessThanOrEqual(mostKilobytes)
  }
})

test('a start loads no more than it did', async () => {
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
  expect(sizes.reduce((sum, size) => sum + size, 0) / 1000).toBeLessThanOrEqual(1820)
  expect(loaded.length).toBeLessThanOrEqual(104)
})

/** The files that a process has run, from what V8 has written when it ended. */
async function scriptsIn(coverage: string): Promise<string[]> {
  const reports = await Promise.all((await readdir(coverage)).map((name) => readFile(`${coverage}/${name}`, 'utf8')))
  const urls = reports.flatMap((text) =>
    (JSON.parse(text) as { result: { url: string }[] }).result.map(({ url }) => url),
  ) // V8's format
  return [...new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)))]
}
