import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ScratchRegistry, startScratchRegistry } from '../../../.ci/scratch-registry.ts'
import { migrations } from '../src/store/migrate.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** An installed release of the server. */
export interface Release {
  readonly version: string
  /** The path of its command line. */
  readonly cli: string
}

interface AddedMigration {
  readonly name: string
  readonly statement: string
  readonly compatibleWith?: string
}

interface Planned {
  readonly version: string
  /** What it adds to the release before. */
  readonly migration?: AddedMigration
}

const last = migrations.at(-1)?.name ?? ''

export const compatible = '9000-add-column'
export const incompatible = '9001-drop-column'

/** The committed sources, then with a migration beside which nodes of the first release may run, then with another one. */
const planned = {
  present: { version: '1000.1.0' },
  next: {
    version: '1000.2.0',
    migration: {
      name: compatible,
      statement: 'alter table tickets add column rehearsal text',
      compatibleWith: last,
    },
  },
  afterNext: {
    version: '1000.3.0',
    migration: { name: incompatible, statement: 'alter table tickets drop column rehearsal' },
  },
} as const satisfies Record<string, Planned>

/** The server, and what it depends on. */
const published = ['client', 'server'] as const

export type Releases = Readonly<Record<keyof typeof planned, Release>>

/** Publishes each release to a registry, and installs it from there as a user does. */
export async function installReleases(folder: string): Promise<Releases> {
  const sources = join(folder, 'sources')
  await run(folder, 'git', ['clone', '--quiet', '--no-hardlinks', root, sources])
  await pnpm(sources, 'install', '--frozen-lockfile', '--prefer-offline')
  const registry = await startScratchRegistry(join(folder, 'registry'))
  try {
    await writeFile(join(sources, '.npmrc'), registry.npmrc)
    const install = (release: Planned) => publishAndInstall({ folder, sources, registry }, release)
    return {
      present: await install(planned.present),
      next: await install(planned.next),
      afterNext: await install(planned.afterNext),
    }
  } finally {
    registry.stop()
  }
}

interface Workshop {
  readonly folder: string
  readonly sources: string
  readonly registry: ScratchRegistry
}

async function publishAndInstall(workshop: Workshop, { version, migration }: Planned): Promise<Release> {
  const { folder, sources, registry } = workshop
  if (migration !== undefined) await addMigration(sources, migration)
  for (const name of published)
    await edit(join(sources, 'packages', name, 'package.json'), (text) =>
      text.replace(/"version": "[^"]+"/, `"version": "${version}"`),
    )
  await pnpm(sources, 'build:server')
  for (const name of published) await pnpm(sources, '--filter', `@service/${name}`, 'publish', '--no-git-checks')
  const project = join(folder, version)
  await mkdir(project)
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true }))
  await writeFile(join(project, '.npmrc'), registry.npmrc)
  await run(project, 'npm', ['install', '--no-audit', '--no-fund', `@service/server@${version}`])
  return { version, cli: join(project, 'node_modules/@service/server/dist/cli.js') }
}

async function addMigration(sources: string, { name, ...migration }: AddedMigration): Promise<void> {
  const store = join(sources, 'packages/server/src/store')
  const variable = `rehearsal${name.slice(0, 4)}`
  const { statement, ...compatibility } = migration
  const fields = JSON.stringify({ name, ...compatibility }).slice(1, -1)
  await writeFile(
    join(store, 'migrations', `${name}.ts`),
    `export const ${variable} = { ${fields}, statements: () => [${JSON.stringify(statement)}] }\n`,
  )
  await edit(join(store, 'migrate.ts'), (text) =>
    `import { ${variable} } from './migrations/${name}.ts'\n${text}`.replace(/,\n\]\n/, `,\n  ${variable},\n]\n`),
  )
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`${file} has no place for the change.`)
  await writeFile(file, changed)
}

const pnpm = (folder: string, ...words: string[]) => run(folder, 'npx', ['--yes', 'pnpm@12', ...words])

async function run(folder: string, command: string, words: readonly string[]): Promise<void> {
  const env = { ...process.env, CI: 'true', NODE_ENV: 'development' }
  await promisify(execFile)(command, words, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
}
