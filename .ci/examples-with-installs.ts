import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Installation, type Row, run } from './matrix-row.ts'

// Examples too large for the workspace. Each is copied, installed with the packed packages, and tested.

/** The visit lists, creates, lists again, and fails after three attempts: six requests. */
const visitOfNext = { added: 1, attempts: 3, sent: 6 }

async function install(example: string, { project, tarballs }: Installation): Promise<string> {
  const folder = join(project, example)
  const source = fileURLToPath(new URL(`../examples/${example}`, import.meta.url))
  cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  return folder
}

async function testsOfNext(installation: Installation): Promise<number> {
  const folder = await install('next-server-side', installation)
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], folder)
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=json']
  return JSON.parse(await run(process.execPath, playwright, folder)).stats.expected
}

async function routersOfNext({ project, tarballs }: Installation): Promise<unknown> {
  const folder = join(project, 'next')
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], folder)
  return JSON.parse(await run(process.execPath, ['print.mjs'], folder))
}

async function testsOfJest(installation: Installation): Promise<number[]> {
  const folder = await install('jest', installation)
  const test = async (suite: string) => {
    const options = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--json', '--silent']
    const args = [...options.slice(suite === 'esm' ? 0 : 1), '--config', `${suite}/jest.config.js`]
    return JSON.parse(await run(process.execPath, args, folder)).numPassedTests
  }
  return [await test('commonjs'), await test('esm')]
}

export const examplesWithInstalls: readonly Row[] = [
  { kind: 'examples with their own installation', name: 'Jest 30', expected: [3, 2], run: testsOfJest },
  { kind: 'examples with their own installation', name: 'Next.js 16, server side', expected: 3, run: testsOfNext },
  {
    kind: 'client, webhooks (built application)',
    name: 'Next.js 16, both routers and edge',
    expected: {
      'server-component': visitOfNext,
      edge: visitOfNext,
      'pages-router': visitOfNext,
      webhooks: 401,
      'api/webhooks': 401,
    },
    run: routersOfNext,
  },
]
