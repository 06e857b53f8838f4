import { randomBytes } from 'node:crypto'
import { AuthenticationError, isServiceError } from '@service/client'
import type { Admin } from '@service/client/admin'
import { liveScopes, type Scope, scopeNames } from '@service/contract'
import type { Command } from 'commander'
import { type Definitions, reportingErrors, UsageError } from './command.ts'
import { type ConnectionFlags, withConnection } from './connection.ts'
import { print, toAnswer } from './output.ts'
import { printedCommand } from './printed-command.ts'
import { type AdminAs, waitForStart, withAdmin } from './with-admin.ts'

const example = `
Example:
  service-server setup --workspace Northwind --time-zone Europe/Berlin --name 'Ada Obi' --email ada@northwind.example

Does the same as the set-up link and creates an API token. The password and the token are shown once. It fails
if a person with a password exists; then use "user reset-password", "member create", and "token create".`

interface Flags extends ConnectionFlags {
  readonly workspace: string
  readonly name: string
  readonly email: string
  readonly timeZone: string
  readonly scopes: string
  readonly wait: string
  readonly json?: boolean
}

function defineSetup(command: Command): Command {
  return withConnection(command)
    .description('Create the first person (an instance administrator), the first workspace, and an API token.')
    .requiredOption('--workspace <name>', 'the name of the workspace')
    .requiredOption('--name <text>', 'the name of the person')
    .requiredOption('--email <address>', "the person's sign-in address")
    .option('--time-zone <name>', 'the time zone of the workspace, such as Europe/Berlin', 'UTC')
    .option('--scopes <names>', "the token's scopes, comma-separated", liveScopes.join(','))
    .option('--wait <seconds>', 'how long to wait for a server that is starting', '30')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(reportingErrors(run))
}

async function run(flags: Flags): Promise<void> {
  const scopes = readScopes(flags.scopes)
  await waitForStart(flags, readSeconds(flags.wait))
  const result = await withAdmin(flags, (admin, adminAs) => setUp({ admin, adminAs }, { ...flags, scopes }))
  print(`${flags.json === true ? JSON.stringify(result, null, 2) : toAnswer(result)}\n`)
}

function readSeconds(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new UsageError(`--wait must be a number of seconds, such as 30; it is ${text}.`)
}

/** Validated before anything is created, because the password cannot be shown again. */
function readScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const scopes = scopeNames.filter((scope) => names.includes(scope))
  const unknown = names.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined)
    throw new UsageError(`--scopes accepts ${scopeNames.join(', ')}; "${unknown}" is not one of them.`)
  return scopes
}

async function setUp(
  { admin, adminAs }: { admin: Admin; adminAs: AdminAs },
  { workspace: name, scopes, ...flags }: Omit<Flags, 'scopes'> & { scopes: Scope[] },
) {
  const password = randomBytes(15).toString('base64url')
  const createCode = async () => {
    const { link } = await admin.setupLinks.create().catch((fault: unknown) => nameReset(fault, flags))
    return new URL(link, 'http://localhost').searchParams.get('code') ?? ''
  }
  const complete = (code: string) =>
    admin.setup.complete({
      ...{ code, name: flags.name, email: flags.email, password },
      ...{ workspace: name, time_zone: flags.timeZone },
    })
  const { user, workspace, session } = await complete(await createCode()).catch(async (fault: unknown) => {
    // Another set-up ends every link, and refuses the next one with its reason.
    if (fault instanceof AuthenticationError) return complete(await createCode())
    throw fault
  })
  const { token } = await admin.tokens.create({ workspace: workspace.id }, { user_id: user.id, scopes })
  // Completing the set-up creates a session, which only a browser needs.
  await adminAs(session.token).sessions.delete({ id: session.id })
  return { workspace: workspace.id, user: user.id, email: user.email, password, token }
}

/** People who run the set-up again have usually lost the password. */
function nameReset(fault: unknown, flags: ConnectionFlags): never {
  if (!isServiceError(fault) || fault.code !== 'conflict') throw fault
  const [list, reset] = ['user list', 'user reset-password <id>'].map((words) => printedCommand(words, flags))
  const remedy = `If you lost the password, find your id with "${list}" and run "${reset}".`
  throw new Error(`${fault.message} ${remedy}`)
}

export const commands: Definitions = { setup: defineSetup }
