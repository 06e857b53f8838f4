import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Installation, type Row, run } from './matrix-row.ts'

// Examples that are too large for the install of the workspace: each is copied, gets the packed packages, and runs its tests.

async function testsOfNext({ project, tarballs }: Installation): Promise<number> {
  const folder = join(project, 'next-server-side')
  cpSync(fileURLToPath(new URL('../examples/next-server-side', import.meta.url)), folder, { recursive: true })
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], folder)
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=json']
  return JSON.parse(await run(process.execPath, playwright, folder)).stats.expected
}

export const examplesWithInstalls: readonly Row[] = [
  { kind: 'examples with an install of their own', name: 'Next.js 16, server side', expected: 3, run: testsOfNext },
]
