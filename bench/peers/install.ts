import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What ours is compared with, in the versions that were looked at, by what they stand beside. */
export const peerVersions = {
  servers: {
    'json-server': '1.0.0-beta.15',
    '@stoplight/prism-cli': '5.16.0',
    '@mockoon/cli': '9.9.0',
    emulate: '0.12.2',
    hono: '4.13.19',
    '@hono/node-server': '2.1.8',
    'better-sqlite3': '13.2.0',
  },
  clients: {
    stripe: '23.1.0',
    openai: '7.57.0',
    '@octokit/core': '7.0.8',
    octokit: '5.0.5',
    resend: '6.38.0',
    'openapi-fetch': '0.17.0',
    ky: '2.1.0',
  },
  webhooks: {
    stripe: '23.1.0',
    svix: '2.5.0',
    standardwebhooks: '1.1.1',
    '@octokit/webhooks': '14.2.0',
  },
  workers: { 'graphile-worker': '0.18.0' },
} as const
export type PeerSet = keyof typeof peerVersions

/** Installs a set of peers outside of the project, once, and gives back the folder. They are no dependencies of ours. */
export async function installPeers(set: PeerSet): Promise<string> {
  const folder = join(tmpdir(), `service-bench-${set}`)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: peerVersions[set] })
  const file = join(folder, 'package.json')
  if (existsSync(join(folder, 'installed')) && (await readFile(file, 'utf8')) === manifest) return folder
  await mkdir(folder, { recursive: true })
  await writeFile(file, manifest)
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  await writeFile(join(folder, 'installed'), '')
  return folder
}

/** A program of `programs/`, copied to where it finds what it imports. */
export async function copyProgram(installed: string, name: string): Promise<string> {
  const file = join(installed, `${name}.mjs`)
  await copyFile(fileURLToPath(new URL(`./programs/${name}.mjs`, import.meta.url)), file)
  return file
}
