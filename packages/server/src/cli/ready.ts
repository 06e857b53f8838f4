import { apiBasePath, inboundBasePath } from '@service/contract'
import type { Workspace } from '../modules/workspaces/service.ts'
import type { Seeded } from '../testing/seeds/seed-state.ts'
import type { DemoCredentials } from './demo.ts'
import { printedCommand } from './printed-command.ts'

export interface Running {
  /** The public URL, or else where it listens. */
  readonly url: string
  /** The address of its socket. */
  readonly listensOn: string
  readonly credentials: DemoCredentials | undefined
  readonly seeded: Seeded
  readonly existing: readonly Workspace[]
  /** The file that contains the admin token; null if an environment variable contains it. */
  readonly tokenFile: string | null
  readonly adminToken: string
  readonly databaseUrl: boolean
  readonly data: string | undefined
  readonly testControls: boolean
  /** The set-up page, until the first person exists. */
  readonly setupUrl: string | undefined
  /** For a demo, this is a one-time sign-in link. */
  readonly dashboardUrl: string
  /** The control page of a test double. */
  readonly testDashboardUrl: string | undefined
}

const baseUrl = ({ url }: Running) => `${url}${apiBasePath}`

export function readyLine(running: Running): string {
  const { url, credentials, seeded } = running
  const { workspace = seeded.workspace, token = seeded.token, ...others } = credentials ?? {}
  return JSON.stringify({
    event: 'ready',
    listen_url: running.listensOn,
    base_url: baseUrl(running),
    webhook_base_url: `${url}${inboundBasePath}`,
    admin_url: `${url}/admin/v1`,
    ...(running.testControls ? { test_url: `${url}/admin/v1/test` } : {}),
    ...(running.testDashboardUrl === undefined ? {} : { test_dashboard_url: running.testDashboardUrl }),
    dashboard_url: running.dashboardUrl,
    ...(running.setupUrl === undefined ? {} : { setup_url: running.setupUrl }),
    workspace,
    token,
    ...adminTokenOf(running),
    ...others,
    ...workspacesOf(running),
    pid: process.pid,
  })
}

/** Logs are kept and forwarded, so a platform names only the file. Demos and tests have nothing to protect. */
const adminTokenOf = ({ testControls, credentials, adminToken, tokenFile }: Running) =>
  testControls || credentials !== undefined ? { admin_token: adminToken } : { admin_token_file: tokenFile }

function workspacesOf({ seeded, credentials, existing }: Running): { workspaces?: readonly object[] } {
  if (seeded.workspaces.length > 0) return { workspaces: seeded.workspaces }
  if (credentials !== undefined || existing.length === 0) return {}
  return { workspaces: existing.map(({ id, name }) => ({ id, name })) }
}

export function welcome(running: Running): string {
  const { url, credentials, seeded, databaseUrl, data, testControls } = running
  const lines = [
    '',
    `The platform is running on ${url}   (Ctrl-C stops it)`,
    '',
    ...(running.listensOn === url ? [] : [`  Listens on     ${running.listensOn}`]),
    `  Dashboard      ${running.dashboardUrl}${running.dashboardUrl.includes('?code=') ? '   (signs in, once)' : ''}`,
    `  REST API       ${baseUrl(running)}`,
    `  Webhooks in    ${url}${inboundBasePath}/webhooks`,
    `  Reference      ${url}/docs`,
    `  OpenAPI        ${url}/openapi.json`,
    `  Administration ${url}/admin/v1`,
    `  Health         ${url}/readyz`,
    `  Data           ${databaseUrl ? 'PostgreSQL' : (data ?? 'in memory, lost when it stops')}`,
    ...(testControls ? [`  Test controls  ${url}/admin/v1/test   (admin token ${running.adminToken})`] : []),
    ...(running.testDashboardUrl === undefined ? [] : [`  Test double    ${running.testDashboardUrl}`]),
    ...setupLines(running),
    ...seededLines(seeded),
    ...(credentials === undefined ? startHint(running) : demoLines(running, credentials)),
    '',
  ]
  return `${lines.join('\n')}\n`
}

const maxShown = 10

const setupLines = ({ setupUrl, data }: Running): string[] =>
  setupUrl === undefined
    ? []
    : [
        '',
        'Set it up: this link makes you its administrator. It works once, for an hour.',
        '',
        `  ${setupUrl}`,
        '',
        `Or use the command line, which also creates an API token: ${printedCommand('setup --help', { data })}`,
      ]

function startHint({ url, seeded, existing, tokenFile, setupUrl, data }: Running): string[] {
  if (seeded.workspaces.length > 0) return []
  if (existing.length === 0 && setupUrl !== undefined) return []
  if (existing.length === 0)
    return ['', `  No workspace yet. \`${printedCommand('start --demo', { data })}\` creates one with a token to try.`]
  const token = tokenFile === null ? '$SERVICE_ADMIN_TOKEN' : `$(cat '${tokenFile}')`
  const more = existing.length - maxShown
  return [
    '',
    ...existing.slice(0, maxShown).map(({ id, name }) => `  Workspace ${id}   ${name}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
    'Administer them with the admin token. This lists the webhooks of the first:',
    '',
    `  curl -s ${url}/admin/v1/workspaces/${existing[0]?.id}/webhooks -H "Authorization: Bearer ${token}"`,
  ]
}

const seededLines = ({ workspaces }: Seeded) =>
  workspaces.flatMap(({ id, name, tokens }) => [
    '',
    `  Workspace ${id}   ${name}`,
    ...tokens.map(({ name, token }) => `  Token          ${token}   (${name})`),
  ])

function demoLines(running: Running, { workspace, token }: DemoCredentials): string[] {
  return [
    '',
    `  Demo workspace ${workspace}`,
    `  Token          ${token}`,
    `  Admin token    ${running.adminToken}`,
    '',
    'Try it:',
    '',
    `  curl -s ${baseUrl(running)}/workspaces/${workspace}/tickets \\`,
    `    -H 'Authorization: Bearer ${token}' \\`,
    "    -H 'Accept: application/json' -H 'Content-Type: application/json' \\",
    `    -d '{"title":"The printer is on fire","priority":"high"}'`,
    '',
  ]
}
