import { readFileSync } from 'node:fs'
import type { Command } from 'commander'

/** How a command finds a running platform and its administration. */
export interface ConnectionFlags {
  readonly url: string
  readonly adminToken?: string
  readonly workspace: string
}

/** Administration of one workspace of a running platform. */
export interface Connection {
  readonly url: string
  call<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>
}

/** What a person did wrong or has to know; shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export const withConnection = (command: Command): Command =>
  command
    .option('--url <url>', 'the address of the platform', process.env['SERVICE_URL'] ?? 'http://127.0.0.1:8080')
    .option('--admin-token <token>', 'its admin token (or SERVICE_ADMIN_TOKEN, or ./.data/admin-token)')
    .option('--workspace <id>', 'the workspace', '1')

export function connect({ url, adminToken = findToken(), workspace }: ConnectionFlags): Connection {
  const base = new URL(`/admin/v1/workspaces/${workspace}/`, url)
  return {
    url,
    async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const response = await fetch(new URL(path, base), {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new CommandError(`Nobody answers at ${url}. Start the platform, or say where it is with --url.`)
      })
      const text = await response.text()
      if (response.ok) return JSON.parse(text) as Answer // the route's own answer
      throw new CommandError(complaintOf(response.status, text))
    },
  }
}

function findToken(): string {
  const { SERVICE_ADMIN_TOKEN: token, SERVICE_ADMIN_TOKEN_FILE: file = './.data/admin-token' } = process.env
  if (token !== undefined && token !== '') return token
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new CommandError('Give the admin token with --admin-token or in SERVICE_ADMIN_TOKEN.')
  }
}

/** All sentences of an answer that is no success. */
function complaintOf(status: number, text: string): string {
  if (status === 401) return 'The platform does not know this admin token.'
  const { message = text, errors = {} } = readComplaint(text)
  const sentences = Object.entries(errors).flatMap(([field, said]) => said.map((each) => `\n  ${field}: ${each}`))
  return `The platform answered ${status}: ${message}${sentences.join('')}`
}

function readComplaint(text: string): { message?: string; errors?: Record<string, string[]> } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Runs a command; what goes wrong is told in a sentence, and the exit code is 1. */
export const telling =
  <Given extends readonly unknown[]>(run: (...given: Given) => Promise<void>) =>
  (...given: Given): Promise<void> =>
    run(...given).catch((fault: unknown) => {
      process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`)
      process.exitCode = 1
    })
