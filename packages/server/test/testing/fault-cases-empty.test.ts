import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { freshDirectory } from '../fresh-directory.ts'

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const request = 'Not exercised: the fault never applied. It needs a request to an operation that documents it.'
const subscription =
  'Not exercised: the fault never applied. It needs a webhook subscription, such as server.webhooks.capture(), and an event that is delivered to it.'

/** One report for each call of `each`, because each has its own server. */
const gaps = [
  'Faults that never applied: 503, deliveries {"drop":true,"times":1}',
  'Faults that never applied: 503, deliveries {"drop":true,"times":1}',
]

test('a case whose fault never applied is skipped with the reason, and fails if unused faults are strict', async () => {
  const root = fileURLToPath(new URL('.', import.meta.url))
  const outputFile = join(await freshDirectory(), 'results.json')
  const args = [
    vitest,
    'run',
    'empty-proof.spec.mjs',
    `--root=${root}`,
    '--reporter=json',
    '--reporter=default',
    `--outputFile=${outputFile}`,
  ]
  const output = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { timeout: 60_000 }, (_, stdout) => resolve(stdout)),
  )
  const { testResults } = JSON.parse(await readFile(outputFile, 'utf8'))
  const outcomes = testResults[0].assertionResults.map(
    ({ title, status, failureMessages }: { title: string; status: string; failureMessages: string[] }) => [
      title,
      status,
      failureMessages[0]?.split('\n')[0],
    ],
  )
  expect(outcomes).toEqual([
    ['empty: 503', 'skipped', undefined],
    ['empty: lost delivery', 'skipped', undefined],
    ['strict and empty: 503', 'failed', `Error: ${request}`],
    ['strict and empty: lost delivery', 'failed', `Error: ${subscription}`],
    ['exercised: 503', 'passed', undefined],
    ['exercised: lost delivery', 'passed', undefined],
  ])
  expect(stripVTControlCharacters(output).match(/^(?:Faults|Operations) that .*/gm)).toEqual(gaps)
}, 90_000)
