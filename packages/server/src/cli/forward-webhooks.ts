import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { ValidationError } from '@service/client'
import type { Admin, EventPattern } from '@service/client/admin'
import type { Command } from 'commander'
import { isCallableUrl } from '../core/config.ts'
import { type Definitions, reportingErrors, UsageError } from './command.ts'
import { CommandError, findRunningOrUsual, type WorkspaceFlags, withWorkspace } from './connection.ts'
import {
  type Forwarded,
  type ForwardResult,
  forward,
  getHeader,
  type LocalPort,
  listenLocally,
  pollDeliveries,
  type Subscription,
} from './forward.ts'
import { print, withPasted } from './output.ts'
import { findParentPipe, onParentEnd, type ParentFlags, withParent } from './parent-process.ts'
import { readSigningSecret, type SecretFlags, signAgain } from './signing-secret.ts'
import { withRunning } from './with-admin.ts'

const examples = `
Examples:
  service-server listen --forward-to http://localhost:3000/webhooks
  service-server listen --forward-to http://localhost:3000/webhooks --events ticket.created,task.*
  service-server listen --forward-to http://localhost:3000/webhooks --json
  service-server listen --forward-to … --url https://platform.example --admin-token service_admin_… --workspace 7

Subscribes while it runs and prints the signing secret for your application. It is in the file listen-secret of the data
directory, so it stays the same; --secret sets another. A platform on this machine
sends here directly and retries failed requests. It must be allowed to send to
loopback, as with --demo and --test-controls (otherwise set SERVICE_EGRESS_ALLOW=127.0.0.1). If it cannot reach this
machine, deliveries are polled twice a second without retries. Ctrl-C ends the subscription.`

interface Flags extends WorkspaceFlags, SecretFlags, ParentFlags {
  readonly forwardTo: string
  readonly events: string
  readonly json?: boolean
}

function defineListen(command: Command): Command {
  command
    .requiredOption('--forward-to <url>', 'URL where your application receives webhooks')
    .option('--events <names>', 'comma-separated list of events', '*')
    .option('--secret <secret>', 'signing secret (default: the one in the data directory, created on the first start)')
    .option('--json', 'print one line of JSON per delivery')
  return withWorkspace(withParent(command)).addHelpText('after', examples).action(reportingErrors(run))
}

async function run(flags: Flags): Promise<void> {
  const parentPipe = findParentPipe(flags)
  const to = toReceiver(flags.forwardTo)
  const platform = findRunningOrUsual(flags)
  const secret = readSigningSecret(flags)
  const subscribedSecret = Promise.withResolvers<string>()
  const forwardAndPrint = async (delivery: Forwarded) => {
    const reply = await forward(to, signAgain(delivery, { from: await subscribedSecret.promise, to: secret }))
    print(`${formatLine(delivery, reply, flags.json === true)}\n`)
    return reply
  }
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopped.abort())
  onParentEnd(parentPipe, () => stopped.abort())
  const port = isLocal(platform.url) ? await listenLocally(forwardAndPrint) : undefined
  const shown = { json: flags.json === true, platform: platform.url, events: flags.events, forwardTo: to.href, secret }
  try {
    await withRunning(platform, async (admin) => {
      const subscribed = await subscribe(admin, flags, port)
      subscribedSecret.resolve(subscribed.secret)
      await deliver(
        { admin, path: subscribed.target, signal: stopped.signal },
        { ...shown, port: subscribed.port, pass: forwardAndPrint },
      )
    })
  } finally {
    port?.close()
  }
}

/** `localhost:3000/webhooks` is the common notation, but as a URL it would have the scheme `localhost`. */
function toReceiver(text: string): URL {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (/^\S+$/.test(text) && /^https?:\/\//i.test(url) && isCallableUrl(url)) return new URL(url)
  throw new UsageError(`--forward-to is a URL such as http://localhost:3000/webhooks; it was ${JSON.stringify(text)}.`)
}

interface Delivering extends Omit<Ready, 'isDirect'> {
  readonly port: LocalPort | undefined
  readonly pass: (delivery: Forwarded) => Promise<ForwardResult>
}

async function deliver(subscription: Subscription, { port, pass, ...shown }: Delivering): Promise<void> {
  const { admin, path, signal } = subscription
  try {
    const isDirect = port !== undefined && (await canReach(subscription, port))
    if (!isDirect) await admin.webhooks.disable(path)
    print(`${readyLine({ ...shown, isDirect })}\n`)
    if (isDirect) await aborted(signal)
    else await pollDeliveries(subscription, pass)
  } finally {
    await admin.webhooks.delete(path).catch((fault: Error) => {
      throw new CommandError(`The subscription ${path.id} could not be removed; remove it manually. ${fault.message}`)
    })
  }
}

/** A URL that never receives anything: the TLD is reserved (RFC 2606). */
const unusedUrl = 'https://listen.invalid/'

/** If the platform cannot send to this machine, deliveries are polled and the subscription has a dummy URL. */
async function subscribe({ webhooks }: Admin, { events, workspace }: Flags, port: LocalPort | undefined) {
  const createAt = async (url: string) => {
    const { id, secret } = await webhooks.create(
      { workspace: Number(workspace) },
      {
        url,
        events: events.split(',').map((event) => event.trim()) as EventPattern[], // validated by the platform
        description: 'service-server listen',
        standard_webhooks: true,
      },
    )
    return { target: { workspace: Number(workspace), id }, secret }
  }
  if (port === undefined) return { ...(await createAt(unusedUrl)), port }
  try {
    return { ...(await createAt(port.url)), port }
  } catch (fault) {
    if (!(fault instanceof ValidationError && 'url' in fault.errors)) throw fault
    return { ...(await createAt(unusedUrl)), port: undefined }
  }
}

const isLocal = (url: string) => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

/** Sends a test delivery and checks which arrives first: the delivery, or its failure in the log. */
async function canReach({ admin, path, signal }: Subscription, { reached }: LocalPort): Promise<boolean> {
  const { workspace } = path
  const { id } = await admin.webhooks.sendTest(path, { event: 'ticket.created' })
  while (!signal.aborted) {
    const [attempt] = (await admin.deliveries.attempts({ workspace, id })).data
    if (attempt !== undefined) return attempt.outcome === 'ok'
    await Promise.race([reached, wait(100)])
  }
  return true
}

const aborted = async (signal: AbortSignal) => {
  if (!signal.aborted) await once(signal, 'abort')
}

interface Ready {
  readonly json: boolean
  readonly platform: string
  readonly forwardTo: string
  readonly events: string
  readonly secret: string
  readonly isDirect: boolean
}

function readyLine({ json, platform, forwardTo, events, secret, isDirect }: Ready): string {
  if (json) return JSON.stringify({ event: 'ready', forward_to: forwardTo, events, secret, direct: isDirect })
  const pollingNote = isDirect ? '' : '\nThe platform cannot send to this machine, so deliveries are polled.'
  const text = `${events} of ${platform} → ${forwardTo}   (Ctrl-C ends)${pollingNote}`
  return `${withPasted(`${text}\nThe signing secret for your application:`, secret)}\n`
}

function formatLine(delivery: Forwarded, { status, fault, ms }: ForwardResult, json: boolean): string {
  const value = (name: string) => getHeader(delivery, name)
  const [time, name, attempt] = [new Date().toISOString(), value('x-service-event'), Number(value('x-service-attempt'))]
  if (json) {
    const delivery_id = value('x-service-delivery')
    return JSON.stringify({ event: 'delivery', time, name, delivery_id, attempt, status: status ?? null, fault, ms })
  }
  const again = attempt > 1 ? `   attempt ${attempt}` : ''
  return `${time.slice(11, 19)}  ${name.padEnd(16)} → ${status ?? fault}   ${ms} ms${again}`
}

export const commands: Definitions = { listen: defineListen }
