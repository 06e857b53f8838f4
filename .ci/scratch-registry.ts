import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../packages/server/test/free-port.ts'

// Pinned, because npm may hold back recent versions (see docs/guides/versions.md). No workspace dependency: it takes 100 MB.
const registry = 'verdaccio@6.10.4'

export interface ScratchRegistry {
  readonly host: string
  /** For the `.npmrc` of a project that installs or publishes our packages. npm requires a token, which this registry ignores. */
  readonly npmrc: string
  readonly stop: () => void
}

/** Installs and starts a registry for our scope in an empty folder. Without uplinks, it cannot download or publish anything else. */
export async function startScratchRegistry(folder: string): Promise<ScratchRegistry> {
  await mkdir(folder)
  // Verdaccio requests a dist-tag of node-fetch that some registries lack.
  const project = { private: true, overrides: { 'node-fetch': '2.7.0' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', registry], { cwd: folder })
  const config = {
    storage: join(folder, 'storage'),
    uplinks: {},
    packages: { '@service/*': { access: '$all', publish: '$anonymous' } },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  }
  const configFile = join(folder, 'config.yaml')
  await writeFile(configFile, JSON.stringify(config))
  const host = `127.0.0.1:${await freePort()}`
  const command = join(folder, 'node_modules/.bin/verdaccio')
  const server = fork(command, ['--config', configFile, '--listen', host], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const stop = () => void server.kill()
  try {
    // Verdaccio sends a message to its parent when it listens.
    await once(server, 'message', { signal: AbortSignal.timeout(20_000) })
  } catch (cause) {
    stop()
    throw new Error('The registry did not start within 20 s.', { cause })
  }
  return { host, npmrc: `@service:registry=http://${host}/\n//${host}/:_authToken=anonymous\n`, stop }
}
