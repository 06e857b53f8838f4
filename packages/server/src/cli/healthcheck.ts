import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { databaseFileName, isDirectoryLocked, readServerFile } from '../store/directory-lock.ts'
import { type Definitions, reportingErrors } from './command.ts'
import { CommandError, configuredUrl, toReachableUrl } from './connection.ts'
import { defaultPort, urlOnPort } from './defaults.ts'
import { knownDatabasePath } from './known-database.ts'
import { print } from './output.ts'
import { usualData } from './printed-command.ts'

const examples = `
Example:
  HEALTHCHECK CMD ["service-server", "healthcheck"]

Requests /readyz from the local port in SERVICE_HEALTH_PORT if it is set. Otherwise from the server on the data directory.
If the directory has no platform, or one on PostgreSQL, which several servers may share, SERVICE_PORT says which local port
to use.`

interface Flags {
  readonly url?: string
  readonly data: string
  readonly json?: boolean
}

const defineHealthcheck = (command: Command): Command =>
  command
    .option('--url <url>', 'the address of the platform (or SERVICE_URL)')
    .option('--data <directory>', 'the data directory', usualData())
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(reportingErrors(run))

const timeoutMs = 4000

async function run({ url, data, json }: Flags): Promise<void> {
  const { SERVICE_PORT: port, SERVICE_HEALTH_PORT: healthPort } = process.env
  const ownThread = healthPort === undefined ? undefined : `http://127.0.0.1:${healthPort}`
  const isOnPostgres = existsSync(knownDatabasePath(data))
  // The directory names the first of the servers that share it.
  const ownPort = isOnPostgres && Number(port) > 0 ? `http://127.0.0.1:${port}` : undefined
  const running = isDirectoryLocked(data) ? readServerFile(data) : undefined
  const found = configuredUrl({ ...(url && { url }) }) ?? ownThread ?? ownPort ?? toReachableUrl(running?.url ?? null)
  if (found === undefined && (isOnPostgres || existsSync(join(data, databaseFileName))))
    throw new CommandError(`No server runs on ${data}. Start it, or pass --url.`)
  const base = found ?? urlOnPort(port || defaultPort)
  const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(() => {
    throw new CommandError(`${base} does not respond.`)
  })
  const text = await response.text()
  if (!response.ok) throw new CommandError(`${base} is not ready: ${text}`)
  print(json === true ? `${JSON.stringify({ url: base, ready: true })}\n` : `${base} is ready.\n`)
}

export const commands: Definitions = { healthcheck: defineHealthcheck }
