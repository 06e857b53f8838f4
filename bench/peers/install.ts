import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What ours is compared with, in the versions that were looked at. */
export const peerVersions = {
  'json-server': '1.0.0-beta.15',
  '@stoplight/prism-cli': '5.16.0',
  '@mockoon/cli': '9.9.0',
  emulate: '0.12.2',
  hono: '4.13.19',
  '@hono/node-server': '2.1.8',
  'better-sqlite3': '13.2.0',
} as const

/** Installs the peers outside of the project, once, and gives back the folder. They are no dependencies of ours. */
export async function installPeers(): Promise<string> {
  const folder = join(tmpdir(), 'service-bench-peers')
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: peerVersions })
  const file = join(folder, 'package.json')
  if (existsSync(join(folder, 'installed')) && (await readFile(file, 'utf8')) === manifest) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(file, manifest)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  await writeFile(join(folder, 'installed'), '')
  return folder
}
