import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Admin } from '@service/client/admin'
import type { App } from '../context.ts'
import { ConfigError } from '../core/config.ts'
import type { Log } from '../core/log.ts'
import { withoutSecrets } from '../http/audit-entry.ts'
import { addToAuditLog } from '../modules/audit-log/service.ts'
import { createSetupLink, isSetUp } from '../modules/users/link-service.ts'
import { listWorkspacesPage, type Workspace } from '../modules/workspaces/service.ts'
import { openPlatform, type Serving } from '../serve.ts'
import type { ServerOptions } from '../server-options.ts'
import { keyFileName } from '../store/secret-file.ts'
import { inTransaction } from '../store/transaction.ts'
import type { Seeded } from '../testing/seeds/seed-state.ts'
import { credentialsOf, type DemoCredentials, openDemo } from './demo.ts'
import type { Environment } from './environment.ts'
import { requireNoSqlitePlatform, writeFirstDatabase } from './known-database.ts'

// Opens what a start serves: a platform, or a test double in memory.

export interface Launched {
  readonly server: Pick<Serving, 'listen' | 'close'>
  readonly admin: () => Promise<Admin>
  /** Workspaces that existed before this start. */
  readonly existing: readonly Workspace[]
  /** Undefined for a demo, a seed, or a test double. */
  readonly setupLink?: (() => Promise<string | undefined>) | undefined
  readonly testDashboardUrl?: () => Promise<string>
  readonly seeded: Seeded
  readonly credentials: DemoCredentials | undefined
}

interface LaunchFlags {
  readonly clock?: string
  readonly random?: string
}

interface LaunchOptions extends Required<Pick<ServerOptions, 'adminToken'>> {
  readonly log: Log
  readonly tokenFile: string | null
}

/** A test double uses the demo as its seed, so that it can be reset. A platform stores it in its database. */
export function launch(environment: Environment, flags: LaunchFlags, given: LaunchOptions): Promise<Launched> {
  if (environment.testControls) return launchDouble(environment, flags, given)
  if (flags.clock !== undefined || flags.random !== undefined)
    throw new ConfigError(['--clock and --random are for tests: add --test-controls.'])
  return launchPlatform(environment, given)
}

/** Workspaces that the welcome lists. */
const maxListed = 50

async function launchPlatform(
  { options, demo, demoDirectory, seed, givenDatabase }: Environment,
  { tokenFile, ...given }: LaunchOptions,
): Promise<Launched> {
  const { serving, platform, retry } = await openPlatform(
    { ...options, ...given },
    {
      ownProcess: true,
      tokenFile,
      isDemo: demo,
      async onEmptyDatabase(isNew) {
        if (demoDirectory === undefined) return
        if (givenDatabase !== undefined) await requireNoSqlitePlatform(demoDirectory, { ...givenDatabase, isNew })
        if (isNew) warnAboutEarlierKey(demoDirectory, given.log)
        // A start that is killed while it migrates leaves a database, which commands find by the directory.
        if (givenDatabase !== undefined) writeFirstDatabase(demoDirectory, givenDatabase)
      },
    },
  )
  const { app } = platform
  try {
    const seeded = await retry(() => seedWith(app, seed))
    const credentials = demo ? await retry(() => openDemo(app, demoDirectory)) : undefined
    const createdIds = new Set([credentials?.workspace, ...seeded.workspaces.map(({ id }) => id)])
    return {
      server: serving,
      admin: async () => (await import('../http/in-process-admin.ts')).createAdmin(app),
      existing: (await retry(() => listWorkspacesPage(app, { limit: maxListed })))
        .toReversed()
        .filter(({ id }) => !createdIds.has(id)),
      setupLink: demo || seed !== undefined ? undefined : () => retry(() => getSetupLink(app)),
      seeded,
      credentials,
    }
  } catch (fault) {
    await serving.close()
    throw fault
  }
}

/** The key is created once the database has tables. */
function warnAboutEarlierKey(directory: string, log: Log): void {
  if (!existsSync(join(directory, keyFileName))) return
  log.warn(
    `${directory} has an encryption key and its PostgreSQL database has no tables, so a new platform begins. If it had some, stop the server, and check the database URL and the search_path of its user, or restore a backup.`,
  )
}

async function launchDouble(
  { options, demo, testControls, seed: given }: Environment,
  { clock, random }: LaunchFlags,
  { tokenFile, ...others }: LaunchOptions,
): Promise<Launched> {
  // With predictable tokens, any web page could access the port.
  const testOptions = { ...(clock === undefined ? {} : { clock }), random: random ?? 'system' }
  const seed = demo ? 'demo' : given
  const { startTestServer } = await import('../testing/create-test-server.ts')
  const server = await startTestServer(
    { ...options, ...others, ...testOptions, testControls, ...(seed === undefined ? {} : { seed }) },
    { tokenFile },
  )
  const { seeded } = server
  return {
    server,
    admin: async () => server.admin,
    existing: [],
    seeded,
    credentials: demo ? credentialsOf(seeded) : undefined,
    testDashboardUrl: server.dashboardUrl,
  }
}

/** Seeds an empty platform. One with workspaces is left unchanged. */
async function seedWith(app: App, seed: string | undefined): Promise<Seeded> {
  if (seed === undefined) return { workspaces: [] }
  const { applySeed } = await import('../testing/seeds/apply-seed.ts')
  return applySeed(app, seed)
}

/**
 * Returns a set-up link until someone can sign in. Uses the services directly, because loading all routes of the
 * admin API takes as long as the rest of the start.
 */
function getSetupLink(app: App): Promise<string | undefined> {
  return inTransaction(app, async (app) => {
    if (await isSetUp(app)) return undefined
    const setupLink = await createSetupLink(app)
    await addToAuditLog(app, {
      actor: 'in_process',
      actor_name: null,
      via: null,
      address: 'in-process',
      request_id: app.ids.uuid(),
      operation: 'setupLinks.create',
      workspace_id: null,
      resource: null,
      resource_name: null,
      before: null,
      after: JSON.stringify(withoutSecrets(setupLink)),
    })
    return setupLink.link
  })
}
