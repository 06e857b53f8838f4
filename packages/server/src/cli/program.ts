import { Command } from 'commander'
import { version } from '../core/version.ts'
import { withExitCodes } from './command.ts'
import { cliResources } from './resources.ts'

interface Entry {
  readonly summary: string
  load(): Promise<Command>
}

const resources = Object.entries(cliResources).map(([noun, resource]): [string, Entry] => [
  noun,
  {
    summary: resource.summary,
    load: async () => (await import('./resource-command.ts')).resourceCommand(noun, resource),
  },
])

/** In the order of `--help`. Only the command that is called is loaded, so that the help and each of them start fast. */
export const commands: Readonly<Record<string, Entry>> = {
  start: {
    summary: 'Start the platform and serve until Ctrl-C or SIGTERM.',
    load: async () => (await import('./start.ts')).startCommand(),
  },
  setup: {
    summary: 'Create the first person, the first workspace and a token.',
    load: async () => (await import('./setup.ts')).setupCommand(),
  },
  ...Object.fromEntries(resources),
  backup: {
    summary: 'Back up the platform into one file while it runs.',
    load: async () => (await import('./backup.ts')).backupCommand(),
  },
  restore: {
    summary: 'Put a backup in the place of the database.',
    load: async () => (await import('./backup.ts')).restoreCommand(),
  },
  migrate: {
    summary: 'Bring the database to the newest schema, or show what it lacks.',
    load: async () => (await import('./db.ts')).migrateCommand(),
  },
  db: {
    summary: 'Copy the database, or see what each table weighs.',
    load: async () => (await import('./db.ts')).dbCommand(),
  },
  prune: {
    summary: 'Remove now what has grown older than its retention.',
    load: async () => (await import('./prune.ts')).pruneCommand(),
  },
  'rotate-key': {
    summary: 'Replace the encryption key, or the admin token, while the platform runs.',
    load: async () => (await import('./rotate-key.ts')).rotateKeyCommand(),
  },
  doctor: {
    summary: 'Check directory, key, disk, database and clock; sends nothing.',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  healthcheck: {
    summary: 'Exit with 0 when the platform is ready, else with 1.',
    load: async () => (await import('./healthcheck.ts')).healthcheckCommand(),
  },
  config: {
    summary: 'Show every setting, its value, and where that comes from.',
    load: async () => (await import('./config.ts')).configCommand(),
  },
  openapi: {
    summary: 'Print the OpenAPI document of the API or of administration.',
    load: async () => openapiCommand(),
  },
  seed: {
    summary: 'Check a seed: a YAML or JSON file, or a module.',
    load: async () => (await import('./seed.ts')).seedCommand(),
  },
  conformance: {
    summary: 'Compare a deployment of the platform, the real one included, with its document and with ours.',
    load: async () => (await import('./conformance.ts')).conformanceCommand(),
  },
  listen: {
    summary: "Deliver a workspace's events to a local URL, and show them.",
    load: async () => (await import('./forward-webhooks.ts')).listenCommand(),
  },
  trigger: {
    summary: 'Have an event happen, as if somebody had caused it.',
    load: async () => (await import('./trigger.ts')).triggerCommand(),
  },
}

const openapiCommand = (): Command =>
  new Command('openapi')
    .description('Print the OpenAPI document of the API or of administration.')
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
