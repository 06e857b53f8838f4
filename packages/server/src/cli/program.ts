import { Command } from 'commander'
import { version } from '../core/version.ts'
import { type Definitions, withExitCodes } from './command.ts'
import { cliResources } from './resources.ts'

interface Entry {
  readonly summary: string
  load(): Promise<Command>
}

type File = () => Promise<{ readonly commands: Definitions }>

const toEntries = (files: Readonly<Record<string, readonly [summary: string, file: File]>>) =>
  Object.entries(files).map(([name, [summary, file]]): [string, Entry] => [
    name,
    {
      summary,
      async load() {
        const command = new Command(name).description(summary)
        return (await file()).commands[name]?.(command) ?? command
      },
    },
  ])

const resources = Object.entries(cliResources).map(([noun, resource]): [string, Entry] => [
  noun,
  {
    summary: resource.summary,
    load: async () => (await import('./resource-command.ts')).resourceCommand(noun, resource),
  },
])

const before = toEntries({
  start: ['Start the platform and serve until Ctrl-C or SIGTERM.', () => import('./start.ts')],
  setup: ['Create the first person, the first workspace and a token.', () => import('./setup.ts')],
})

const after = toEntries({
  backup: ['Back up the platform into one file while it runs.', () => import('./backup.ts')],
  restore: ['Put a backup in the place of the database.', () => import('./backup.ts')],
  migrate: ['Bring the database to the newest schema, or show what it lacks.', () => import('./db.ts')],
  db: ['Copy the database, or see what each table weighs.', () => import('./db.ts')],
  prune: ['Remove now what has grown older than its retention.', () => import('./prune.ts')],
  'rotate-key': ['Replace the encryption key, or the admin token.', () => import('./rotate-key.ts')],
  doctor: ['Check directory, key, disk, database and clock; sends nothing.', () => import('./doctor.ts')],
  healthcheck: ['Exit with 0 when the platform is ready, else with 1.', () => import('./healthcheck.ts')],
  config: ['Show every setting, its value, and where that comes from.', () => import('./config.ts')],
  openapi: ['Print the OpenAPI document of the API or of administration.', async () => ({ commands: { openapi } })],
  seed: ['Check a seed: a YAML or JSON file, or a module.', () => import('./seed.ts')],
  conformance: ['Compare a deployment with the document of the platform.', () => import('./conformance.ts')],
  listen: ["Deliver a workspace's events to a local URL, and show them.", () => import('./forward-webhooks.ts')],
  trigger: ['Trigger an event as if a person had caused it.', () => import('./trigger.ts')],
})

/** In the order of `--help`. Only the command that is called is loaded, so that the help and each of them start fast. */
export const commands: Readonly<Record<string, Entry>> = Object.fromEntries([...before, ...resources, ...after])

const openapi = (command: Command): Command =>
  command
    .option('--admin', 'that of administration')
    .option('--json', 'the same: the document is JSON anyhow')
    .addHelpText('after', '\nExample:\n  service-server openapi > openapi.json')
    .action(async ({ admin }: { readonly admin?: boolean }) => {
      const document =
        admin === true
          ? (await import('../openapi/admin-document.ts')).createAdminDocument()
          : (await import('../openapi/document.ts')).createOpenApiDocument()
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    })

export async function runProgram(words: readonly string[]): Promise<void> {
  const called = words.find((word) => word !== 'help' && !word.startsWith('-'))
  const program = new Command('service-server')
    .description('The complete work platform on embedded SQLite or PostgreSQL.')
    .version(version)
  for (const [name, { summary, load }] of Object.entries(commands))
    program.addCommand(name === called ? await load() : new Command(name).description(summary))
  await withExitCodes(program).parseAsync(words, { from: 'user' })
}
