import { Command, CommanderError, type Option } from 'commander'
import { version } from '../core/version.ts'
import { type Definitions, withExitCodes } from './command.ts'
import { print } from './output.ts'
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
  setup: ['Create the first person, workspace, and API token.', () => import('./setup.ts')],
})

const after = toEntries({
  backup: ['Back up the platform to one file while it runs.', () => import('./backup.ts')],
  restore: ['Replace the database with a backup.', () => import('./backup.ts')],
  upgrade: ['Migrate the database to this version, or show what that would do.', () => import('./upgrade.ts')],
  db: ['Copy or distribute the database, or show table sizes.', () => import('./db.ts')],
  prune: ['Remove records past their retention period now.', () => import('./prune.ts')],
  'rotate-key': ['Replace the encryption key or the admin token.', () => import('./rotate-key.ts')],
  doctor: ['Check the directory, key, disk, database, and clock.', () => import('./doctor.ts')],
  healthcheck: ['Exit with 0 if the platform is ready, otherwise with 1.', () => import('./healthcheck.ts')],
  config: ['Show every setting, its value, and its source.', () => import('./config.ts')],
  openapi: ['Print the OpenAPI document of the REST or admin API.', async () => ({ commands: { openapi } })],
  seed: ['Validate a seed: a YAML or JSON file, or a module.', () => import('./seed.ts')],
  conformance: ['Check a deployment against the platform specification.', () => import('./conformance.ts')],
  listen: ["Forward a workspace's events to a local URL.", () => import('./forward-webhooks.ts')],
  trigger: ['Trigger an event.', () => import('./trigger.ts')],
})

/** In the order of `--help`. Commands are loaded on demand, so that startup is fast. */
export const commands: Readonly<Record<string, Entry>> = Object.fromEntries([...before, ...resources, ...after])

const openapi = (command: Command): Command =>
  command
    .option('--admin', 'print the admin API')
    .option('--json', 'no effect: the document is always JSON')
    .addHelpText('after', '\nExample:\n  service-server openapi > openapi.json')
    .action(async ({ admin }: { readonly admin?: boolean }) => {
      const document =
        admin === true
          ? (await import('../openapi/admin-document.ts')).createAdminDocument()
          : (await import('../openapi/document.ts')).createOpenApiDocument()
      print(`${JSON.stringify(document, null, 2)}\n`)
    })

/** An empty variable of a shell must not lead to the default place: `restore --data "$UNSET" --yes`. */
function refuseEmptyPlaces(command: Command): void {
  for (const option of command.options.filter(({ long }) => ['--data', '--url', '--database-url'].includes(long ?? '')))
    if (command.getOptionValue(option.attributeName()) === '' && isFromUser(command, option))
      command.error(`error: ${option.long} is empty. Name one, or leave ${option.long} out for the default.`)
}

const isFromUser = (command: Command, option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli'

export async function runProgram(words: readonly string[]): Promise<void> {
  const called = words.find((word) => word !== 'help' && !word.startsWith('-'))
  const program = new Command('service-server')
    .description('The complete work platform on embedded SQLite or PostgreSQL.')
    .version(version)
    .hook('preAction', (_program, command) => refuseEmptyPlaces(command))
  for (const [name, { summary, load }] of Object.entries(commands))
    program.addCommand(name === called ? await load() : new Command(name).description(summary))
  await withExitCodes(program, { json: words.includes('--json') })
    .parseAsync(words, { from: 'user' })
    .catch((fault: unknown) => {
      // Help, the version, or wrong usage: the text is written, and the exit code is set.
      if (!(fault instanceof CommanderError)) throw fault
    })
}
