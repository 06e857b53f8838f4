import type { Command } from 'commander'
import { type ConformanceTarget, createProbe } from '../conformance/probe.ts'
import { type Finding, findingLines, runChecks, summarize, summaryLine } from '../conformance/run-checks.ts'
import { type Definitions, reportingErrors, requireNumber, UsageError } from './command.ts'
import { print } from './output.ts'

const examples = `
Examples:
  service-server conformance --base-url https://api.example.com/api/v1 --token service_… --workspace 7
  service-server conformance --base-url http://127.0.0.1:8080/api/v1 --token service_… --write
  service-server conformance --base-url … --token … --workspace 7 --json > findings.json

Writes nothing by default. With --write, it leaves tickets, a task, a lead, and an error ticket with the title
"Conformance check". Exits with 1 if a response contradicts the platform's specification, and with 2 without any check
if the platform cannot be reached with this address, token, and workspace.`

interface Flags {
  readonly baseUrl: string
  readonly webhookBaseUrl?: string
  readonly token?: string
  readonly workspace: string
  readonly narrowToken?: string
  readonly errorsSecret?: string
  readonly attendanceSecret?: string
  readonly leadsSecret?: string
  readonly gitSecret?: string
  readonly employeeCode?: string
  readonly deviceId?: string
  readonly write?: boolean
  readonly json?: boolean
}

function defineConformance(command: Command): Command {
  return command
    .requiredOption('--base-url <url>', 'the address of the REST API; ends in /api/v1')
    .option('--workspace <id>', "the token's workspace", requireNumber, '1')
    .option('--token <token>', 'an API token with all scopes (or SERVICE_TOKEN)')
    .option('--webhook-base-url <url>', 'the address of the inbound webhooks (default: the same without /v1)')
    .option('--narrow-token <token>', 'a token without tickets:read')
    .option('--errors-secret <secret>', 'the secret of the error monitor')
    .option('--attendance-secret <secret>', "the workspace's attendance secret")
    .option('--leads-secret <secret>', 'the secret of the lead source website')
    .option('--git-secret <secret>', 'the secret of the GitHub integration, if it has one')
    .option('--employee-code <code>', 'an employee for a test punch')
    .option('--device-id <id>', 'a device for the test punch')
    .option('--write', 'also run the checks that create records')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples)
    .action(reportingErrors(run))
}

async function run(flags: Flags): Promise<void> {
  const target = toTarget(flags)
  await requirePlatform(target)
  const write = flags.write === true
  const findings = await runChecks(target, { write, ...(flags.json === true ? {} : { onFinding: show }) })
  const summary = summarize(findings)
  const text = flags.json === true ? JSON.stringify({ summary, findings }, null, 2) : `\n${summaryLine(summary)}`
  print(`${text}\n`)
  process.exitCode = summary.broken > 0 ? 1 : 0
}

/** A wrong address, token, or workspace would otherwise look like a platform that contradicts its document. */
async function requirePlatform(target: ConformanceTarget): Promise<void> {
  const { baseUrl, workspace } = target
  const { status, json } = await createProbe(target)
    .api('/workspaces/{workspace}/projects')
    .catch((cause: unknown) => {
      throw new UsageError(`${baseUrl} cannot be reached. Check --base-url.`, { cause })
    })
  if (status === 401) throw new UsageError(`${baseUrl} refuses the token (401). Check --token or SERVICE_TOKEN.`)
  if (status === 403)
    throw new UsageError(
      `The token has no access to workspace ${workspace} (403). Check --workspace and the scopes of the token.`,
    )
  if (status === 404 || json === undefined)
    throw new UsageError(
      `${baseUrl} has no API with workspace ${workspace} (${status}). Check --base-url, which ends in /api/v1, and --workspace.`,
    )
}

function toTarget(flags: Flags): ConformanceTarget {
  const token = flags.token ?? process.env['SERVICE_TOKEN']
  if (token === undefined || token === '') throw new UsageError('No API token. Pass --token or set SERVICE_TOKEN.')
  const baseUrl = flags.baseUrl.replace(/\/$/, '')
  return {
    baseUrl,
    webhookBaseUrl: (flags.webhookBaseUrl ?? baseUrl.replace(/\/v1$/, '')).replace(/\/$/, ''),
    workspace: Number(flags.workspace),
    token,
    narrowToken: flags.narrowToken,
    secrets: {
      errors: flags.errorsSecret,
      attendance: flags.attendanceSecret,
      leads: flags.leadsSecret,
      git: flags.gitSecret,
    },
    employeeCode: flags.employeeCode,
    deviceId: flags.deviceId === undefined ? undefined : Number(flags.deviceId),
    fetch: (request) => fetch(request),
  }
}

const show = (finding: Finding) => void print(`${findingLines(finding).join('\n')}\n`)

export const commands: Definitions = { conformance: defineConformance }
