import { apiBasePath, inboundBasePath } from '@service/contract'
import type { Seeded } from '../testing/seeds/seeded.ts'
import type { DemoCredentials } from './demo.ts'

/** A platform that answers, and what it should show about itself. */
export interface Running {
  readonly url: string
  readonly credentials: DemoCredentials | undefined
  /** What `--seed` made. */
  readonly seeded: Seeded
  readonly adminToken: string
  readonly databaseUrl: boolean
  /** Undefined when all is in memory. */
  readonly data: string | undefined
  readonly testControls: boolean
}

const baseUrl = ({ url }: Running) => `${url}${apiBasePath}`

/** One line for tools in any language. */
export function readyLine(running: Running): string {
  const { url, credentials, seeded, adminToken } = running
  const { workspace = seeded.workspace, token = seeded.token, ...others } = credentials ?? {}
  return JSON.stringify({
    event: 'ready',
    base_url: baseUrl(running),
    webhook_base_url: `${url}${inboundBasePath}`,
    admin_url: `${url}/admin/v1`,
    ...(running.testControls ? { test_url: `${url}/admin/v1/test` } : {}),
    dashboard_url: `${url}/dashboard`,
    workspace,
    token,
    admin_token: adminToken,
    ...others,
    ...(seeded.workspaces.length > 0 ? { workspaces: seeded.workspaces } : {}),
    pid: process.pid,
  })
}

/** What a person reads after `start`. */
export function welcome(running: Running): string {
  const { url, credentials, seeded, databaseUrl, data, testControls } = running
  const lines = [
    '',
    `The platform is running on ${url}   (Ctrl-C stops it)`,
    '',
    `  REST API       ${baseUrl(running)}`,
    `  Webhooks in    ${url}${inboundBasePath}/webhooks`,
    `  Reference      ${url}/docs`,
    `  OpenAPI        ${url}/openapi.json`,
    `  Administration ${url}/admin/v1`,
    `  Health         ${url}/readyz`,
    `  Data           ${databaseUrl ? 'PostgreSQL' : (data ?? 'in memory, gone when it stops')}`,
    ...(testControls ? [`  Test controls  ${url}/admin/v1/test   (admin token ${running.adminToken})`] : []),
    ...seededLines(seeded),
    ...(credentials === undefined ? startHint(seeded) : demoLines(running, credentials)),
    '',
  ]
  return `${lines.join('\n')}\n`
}

const startHint = ({ workspaces }: Seeded) =>
  workspaces.length > 0
    ? []
    : ['', '  No workspace is shown. `service-server start --demo` makes one with a token to try.']

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
