import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Installation, type Row, run } from './matrix-row.ts'

// Examples too large for the workspace. Each is copied, installed with the packed packages, and tested.

async function testsOfNext({ project, tarballs }: Installation): Promise<number> {
  const folder = join(project, 'next-server-side')
  cpSync(fileURLToPath(new URL('../examples/next-server-side', import.meta.url)), folder, { recursive: true })
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  await run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], folder)
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=json']
  return JSON.parse(await run(process.execPath, playwright, folder)).stats.expected
}

export const examplesWithInstalls: readonly Row[] = [
  { kind: 'examples with their own installation', name: 'Next.js 16, server side', expected: 3, run: testsOfNext },
]
