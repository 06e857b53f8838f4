import { setTimeout } from 'node:timers/promises'
import { AuthenticationError, NetworkError, TimeoutError } from '@service/client'
import { type Admin, createAdminClient } from '@service/client/admin'
import { adminBasePath } from '@service/contract'
import type { App } from '../context.ts'
import { stopwatchMs } from '../core/clock.ts'
import { readConfig } from '../core/config.ts'
import { stderrLog } from '../core/log.ts'
import { version } from '../core/version.ts'
import { commandLineProduct } from '../http/admin-login.ts'
import { isDirectoryLocked } from '../store/directory-lock.ts'
import {
  type ConnectionFlags,
  findRunning,
  type RunningPlatform,
  rejectedTokenError,
  Unreachable,
} from './connection.ts'
import { readDatabaseConfig, readEnvironment } from './environment.ts'
import { logFormat } from './log-format.ts'

/** Identifies the command line in the audit log. */
const appInfo = { name: commandLineProduct, version }

export type AdminAs = (sessionToken: string) => Admin

/**
 * Runs `work` with the admin API of a platform: over HTTP if one is running, or else in this process, which then locks
 * the data directory.
 */
export async function withAdmin<Result>(
  flags: ConnectionFlags,
  work: (admin: Admin, adminAs: AdminAs) => Promise<Result>,
): Promise<Result> {
  const running = flags.databaseUrl === undefined ? findRunning(flags) : undefined
  if (running === undefined) {
    return withApp(flags, async (app) => {
      const { createAdmin } = await import('../http/in-process-admin.ts')
      return work(createAdmin(app, { appInfo }), (sessionToken) => createAdmin(app, { appInfo, sessionToken }))
    })
  }
  return withRunning(running, work)
}

const startPollMs = 250

/** Waits for a server that is starting, such as that of `start &` on the line before. */
export async function waitForStart(flags: ConnectionFlags, seconds: number): Promise<void> {
  const startedAt = stopwatchMs()
  for (let isFirst = true; !(await isStarted(flags)) && stopwatchMs() - startedAt < seconds * 1000; isFirst = false) {
    if (isFirst) process.stderr.write(`Waiting up to ${seconds} s for a server to start on ${flags.data} …\n`)
    await setTimeout(startPollMs)
  }
}

async function isStarted(flags: ConnectionFlags): Promise<boolean> {
  if (findRunning(flags) !== undefined) return true
  if (isDirectoryLocked(flags.data)) return false
  const { hasPlatform } = await import('../store/require-platform.ts')
  const isThere = await hasPlatform(readDatabaseConfig(flags)).catch(() => true) // `withAdmin` reports why it cannot be opened
  // A server may have begun to start since.
  return isThere && !isDirectoryLocked(flags.data)
}

/** Runs `work` with the admin API of a running platform. */
export async function withRunning<Result>(
  { url, adminToken }: RunningPlatform,
  work: (admin: Admin, adminAs: AdminAs) => Promise<Result>,
): Promise<Result> {
  // The address comes from the user or from the server's own file.
  const adminAs = (token: string) =>
    createAdminClient({ baseUrl: url + adminBasePath, token, allowInsecure: true, maxRetries: 0, appInfo })
  return work(adminAs(adminToken), adminAs).catch((fault: unknown) => {
    if (fault instanceof AuthenticationError) throw rejectedTokenError()
    if (fault instanceof TimeoutError)
      throw new Unreachable(
        `${url} did not answer in time. The log of the platform says what it is doing; "service-server doctor" checks it.`,
      )
    if (!(fault instanceof NetworkError)) throw fault
    if (fault.reason === 'tls')
      throw new Unreachable(
        `${url} cannot be reached over TLS (${fault.systemCode ?? 'tls'}). Pass an address with http:// for a platform without TLS, or name its certificate authority in NODE_EXTRA_CA_CERTS.`,
      )
    throw new Unreachable(`${url} does not respond. Start the platform, or pass its address with --url.`)
  })
}

/** Runs `work` on the configured database without a server. Nothing is sent. */
async function withApp<Result>(
  { data, databaseUrl }: Pick<ConnectionFlags, 'data' | 'databaseUrl'>,
  work: (app: App) => Promise<Result>,
): Promise<Result> {
  const { options, nameOf } = readEnvironment(process.env, databaseUrl === undefined ? { data } : { data, databaseUrl })
  const { requirePlatform } = await import('../store/require-platform.ts')
  await requirePlatform(readConfig(options, nameOf))
  const { openApp } = await import('../bootstrap.ts')
  const log = { ...stderrLog(logFormat(undefined)), info: () => undefined }
  const app = await openApp({ ...options, log })
  try {
    return await work(app)
  } finally {
    await app.store.drained()
    await app.store.close()
  }
}
