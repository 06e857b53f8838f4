import { readSettings, requireWorkspace } from '../settings.ts'
import { noToken, tokenSource } from '../token-source.ts'
import { attendance, type InboundAttendance } from './attendance.ts'
import { checkShape } from './check-shape.ts'
import { errors, type InboundErrors } from './errors.ts'
import { git, type InboundGit } from './git.ts'
import { copySecrets, type InboundClientOptions } from './inbound-options.ts'
import { type InboundLeads, leads } from './leads.ts'
import { inboundSender } from './send-inbound.ts'

/** The inbound webhooks of one workspace. */
export interface InboundClient {
  readonly git: InboundGit
  readonly errors: InboundErrors
  readonly attendance: InboundAttendance
  readonly leads: InboundLeads
}

/**
 * Creates a client for the inbound webhooks of one workspace: errors, punches, leads, Git events. It follows
 * the rules of `createClient`: safe retries, time limits, one family of errors. Errors and events contain no secrets.
 *
 * @example
 * const inbound = createInboundClient({
 *   webhookBaseUrl: 'https://example.com/api',
 *   workspace: 1,
 *   secrets: { errors: 'whs_…' },
 * })
 * await inbound.errors.report(new Error('The queue is full'), { app_name: 'shop' })
 * @throws TypeError for an invalid option, with its name and how to fix it.
 */
export function createInboundClient(options: InboundClientOptions): InboundClient {
  const { webhookBaseUrl, token, secrets: givenSecrets, workspace, ...rest }: InboundClientOptions = Object(options)
  const secrets = copySecrets(givenSecrets)
  // Without credentials there is nothing to protect in a browser.
  const isPublic = !token && !givenSecrets
  const common = { ...rest, dangerouslyAllowBrowser: rest.dangerouslyAllowBrowser || isPublic }
  const settings = readSettings(common, {
    baseUrl: webhookBaseUrl,
    expectedBaseUrl: { option: 'webhookBaseUrl', path: '/api' },
    tokens: token === undefined ? noToken : tokenSource(token),
    check: checkShape,
    creator: 'createInboundClient',
    ownOptions: ['webhookBaseUrl', 'workspace', 'secrets', 'token'],
  })
  const send = inboundSender({ ...settings, workspace: requireWorkspace(workspace) })
  return {
    git: git({ send, secrets, idempotency: settings.idempotency }),
    errors: errors(send, secrets),
    attendance: attendance(send, secrets),
    leads: leads(send, secrets),
  }
}
