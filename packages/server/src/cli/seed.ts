import type { Command } from 'commander'
import type { Seeded } from '../testing/seeds/seed-state.ts'
import { type Definitions, isSeedError } from './command.ts'
import { print } from './output.ts'

const examples = `
Examples:
  service-server seed --validate seed.yaml         every problem with its line and column; exit code 2 if there is one
  service-server start --seed seed.yaml            fill an empty platform

A seed:
  workspaces:
    - name: Acme
      members:
        - { key: ann, name: Ann, email: ann@acme.test, role: owner }
      tickets:
        - { title: The printer is on fire, priority: high, assigned_to: ann }
      tokens:
        - { user: ann, token: service_test_ann, scopes: ['tickets:read', 'tickets:write'] }`

function defineSeed(command: Command): Command {
  return command
    .requiredOption('--validate <file>', 'report all errors, without changing anything')
    .option('--json', 'print the created records or the errors as JSON')
    .addHelpText('after', examples)
    .action(run)
}

interface Flags {
  readonly validate: string
  readonly json?: boolean
}

async function run({ validate: file, json = false }: Flags): Promise<void> {
  try {
    const { createTestServer } = await import('../testing/create-test-server.ts')
    // Applied to an in-memory server, to find errors that only appear when records are combined.
    await using server = await createTestServer({ seed: file })
    const text = `${file} is valid: ${summary(server.seeded)}.`
    print(`${json ? JSON.stringify({ workspaces: namesIn(server.seeded) }) : text}\n`)
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault)
    process.stderr.write(`${json ? JSON.stringify({ error: { message } }) : message}\n`)
    process.exitCode = isSeedError(fault) || fault instanceof TypeError ? 2 : 1
  }
}

const namesIn = ({ workspaces }: Seeded) => workspaces.map(({ id, name }) => ({ id, name }))

const summary = ({ workspaces }: Seeded) =>
  workspaces.length === 0
    ? 'no workspace'
    : `workspaces ${workspaces.map(({ id, name }) => `${id} (${name})`).join(', ')}`

export const commands: Definitions = { seed: defineSeed }
