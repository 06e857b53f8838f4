import { randomBytes } from 'node:crypto'
import type { Admin } from '@service/client/admin'
import { liveScopes, type Scope, scopeNames } from '@service/contract'
import type { Command } from 'commander'
import { type Definitions, telling, UsageError } from './command.ts'
import { type ConnectionFlags, withConnection } from './connection.ts'
import { toLines } from './output.ts'
import { type AdminAs, withAdmin } from './with-admin.ts'

const example = `
Example:
  service-server setup --workspace Northwind --name 'Ada Obi' --email ada@northwind.example

Does what the set-up link does, and creates a token for the API. The password and the token are shown once. It is refused
once somebody has a password; from then on use "member create" and "token create".`

interface Flags extends ConnectionFlags {
  readonly workspace: string
  readonly name: string
  readonly email: string
  readonly scopes: string
  readonly json?: boolean
}

function defineSetup(command: Command): Command {
  return withConnection(command)
    .description('Create the first person, who administers the instance, the first workspace and a token for the API.')
    .requiredOption('--workspace <name>', 'the name of the workspace')
    .requiredOption('--name <text>', 'the name of the person')
    .requiredOption('--email <address>', 'what the person signs in with')
    .option('--scopes <names>', 'what the token may do, separated by commas', liveScopes.join(','))
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(telling(run))
}

async function run(flags: Flags): Promise<void> {
  const scopes = readScopes(flags.scopes)
  const done = await withAdmin(flags, (admin, adminAs) => setUp({ admin, adminAs }, { ...flags, scopes }))
  process.stdout.write(`${flags.json === true ? JSON.stringify(done, null, 2) : toLines(done)}\n`)
}

/** Checked before anything is created: the password could not be shown again. */
function readScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim())
  const scopes = scopeNames.filter((scope) => names.includes(scope))
  const unknown = names.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined)
    throw new UsageError(`--scopes takes ${scopeNames.join(', ')}; "${unknown}" is none of them.`)
  return scopes
}

async function setUp(
  { admin, adminAs }: { admin: Admin; adminAs: AdminAs },
  { workspace: name, scopes, ...person }: Omit<Flags, 'scopes'> & { scopes: Scope[] },
) {
  const { link } = await admin.setupLinks.create()
  const code = new URL(link, 'http://localhost').searchParams.get('code') ?? ''
  const password = randomBytes(15).toString('base64url')
  const input = { code, name: person.name, email: person.email, password, workspace: name }
  const { user, workspace, session } = await admin.setup.complete(input)
  const { token } = await admin.tokens.create({ workspace: workspace.id }, { user_id: user.id, scopes })
  // Completing the set-up signs in, which is of use in a browser only.
  await adminAs(session.token).sessions.delete({ id: session.id })
  return { workspace: workspace.id, user: user.id, email: user.email, password, token }
}

export const commands: Definitions = { setup: defineSetup }
