import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { isCallableUrl } from '../core/config.ts'
import { isDirectoryLocked, readServerFile } from '../store/directory-lock.ts'
import { requireNumber, UsageError } from './command.ts'
import { defaultUrl } from './defaults.ts'
import { adminTokenFileName } from './environment.ts'
import { usualData } from './printed-command.ts'

/** How a command connects to a platform's admin API. */
export interface ConnectionFlags {
  readonly url?: string
  readonly data: string
  readonly adminToken?: string
  readonly databaseUrl?: string
}

export interface WorkspaceFlags extends ConnectionFlags {
  readonly workspace: string
}

/** An error for the user, printed without a stack trace. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The platform does not respond. */
export class Unreachable extends CommandError {
  override readonly name = 'Unreachable'
}

export const withConnection = (command: Command): Command =>
  command
    .option('--url <url>', 'URL of the platform (or SERVICE_URL; default: the platform running on the data directory)')
    .option('--data <directory>', 'the data directory of a platform on this machine', usualData())
    .option('--admin-token <token>', 'admin token (or SERVICE_ADMIN_TOKEN; default: the token in the data directory)')

export const withWorkspace = (command: Command): Command =>
  withConnection(command).option('--workspace <id>', 'the workspace', requireNumber, '1')

export const rejectedTokenError = () =>
  new CommandError(
    'The platform rejected the admin token. Pass a valid one with --admin-token or in SERVICE_ADMIN_TOKEN.',
  )

export interface RunningPlatform {
  readonly url: string
  /** The address in links: the server's public URL, unless the command has an address. */
  readonly linkUrl: string
  readonly adminToken: string
}

/** The platform given by flags, or the one running on the data directory; undefined if there is none. */
export function findRunning(flags: ConnectionFlags): RunningPlatform | undefined {
  const running = isDirectoryLocked(flags.data) ? readServerFile(flags.data) : undefined
  const configured = configuredUrl(flags)
  const url = configured ?? toReachableUrl(running?.url ?? null)
  if (url === undefined) return undefined
  return {
    url,
    linkUrl: configured ?? running?.publicUrl ?? url,
    adminToken: flags.adminToken ?? findToken(running?.tokenFile ?? join(flags.data, adminTokenFileName)),
  }
}

/** Without a slash at the end, because paths are appended. */
export function configuredUrl(flags: { readonly url?: string }): string | undefined {
  const url = flags.url ?? (process.env['SERVICE_URL'] || undefined)
  if (url === undefined || (/^https?:\/\//.test(url) && isCallableUrl(url))) return url?.replace(/([^/])\/+$/, '$1')
  const name = flags.url === undefined ? 'SERVICE_URL' : '--url'
  throw new UsageError(`${name} must be the address of a platform such as ${defaultUrl}; it is ${url}.`)
}

/** Like `findRunning`, falling back to the default port. */
export const findRunningOrUsual = (flags: ConnectionFlags): RunningPlatform =>
  findRunning(flags) ?? {
    url: defaultUrl,
    linkUrl: defaultUrl,
    adminToken: flags.adminToken ?? findToken(join(flags.data, adminTokenFileName)),
  }

function findToken(defaultFile: string): string {
  const token = process.env['SERVICE_ADMIN_TOKEN']
  const file = process.env['SERVICE_ADMIN_TOKEN_FILE'] || defaultFile
  if (token && file !== defaultFile)
    throw new UsageError('SERVICE_ADMIN_TOKEN and SERVICE_ADMIN_TOKEN_FILE are both set: choose one.')
  if (token) return token
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    if (file !== defaultFile) throw new CommandError('SERVICE_ADMIN_TOKEN_FILE must name a file that can be read.')
    throw new CommandError('No admin token. Pass it with --admin-token or in SERVICE_ADMIN_TOKEN.')
  }
}

/** Maps a wildcard listen address to loopback. */
export const toReachableUrl = (url: string | null) =>
  url?.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, 'http://127.0.0.1')
