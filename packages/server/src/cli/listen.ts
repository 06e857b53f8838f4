import { Command } from 'commander'
import { CommandError, type Connection, type ConnectionFlags, connect, telling, withConnection } from './connection.ts'
import { type Forwarded, forward, type Reply } from './forward.ts'
import { type LocalPort, listenLocally } from './listen-locally.ts'
import { pollDeliveries } from './poll-deliveries.ts'

const examples = `
Examples:
  service-server listen --forward-to http://localhost:3000/webhooks
  service-server listen --forward-to http://localhost:3000/webhooks --events ticket.created,task.*
  service-server listen --forward-to http://localhost:3000/webhooks --json
  service-server listen --forward-to … --url https://platform.example --admin-token service_admin_… --workspace 7

Subscribes for as long as it runs and shows the signing secret: give it to your application. A platform on this machine
sends here directly, so a failure of your application is tried again by its schedule; it must be allowed to send to
loopback, as --demo and --test-controls are (else SERVICE_EGRESS_ALLOW=127.0.0.1). Where it cannot, or is elsewhere,
its deliveries are fetched twice a second instead, each once. Ctrl-C ends the subscription.`

interface Flags extends ConnectionFlags {
  readonly forwardTo: string
  readonly events: string
  readonly json?: boolean
}

export function listenCommand(): Command {
  const command = new Command('listen')
    .description("Deliver a workspace's events to a local URL, and show them.")
    .requiredOption('--forward-to <url>', 'where your application receives webhooks')
    .option('--events <names>', 'which events, separated by commas', '*')
    .option('--json', 'print one line of JSON per delivery')
  return withConnection(command)
    .addHelpText('after', examples)
    .showHelpAfterError('(see service-server listen --help)')
    .action(telling(run))
}

async function run(flags: Flags): Promise<void> {
  if (!URL.canParse(flags.forwardTo))
    throw new CommandError('--forward-to is a URL such as http://localhost:3000/webhooks.')
  const to = new URL(flags.forwardTo)
  const connection = connect(flags)
  const pass = async (delivery: Forwarded) => {
    const reply = await forward(to, delivery)
    process.stdout.write(`${lineOf(delivery, reply, flags.json === true)}\n`)
    return reply
  }
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  const port = isLocal(flags.url) ? await listenLocally(pass) : undefined
  try {
    const { id, secret } = await subscribe(connection, flags, port?.url ?? flags.forwardTo)
    await deliver(connection, { ...flags, id, secret, port, pass, signal: stopped.signal })
  } finally {
    port?.close()
  }
}

interface Delivering extends Flags {
  readonly id: number
  readonly secret: string
  readonly port: LocalPort | undefined
  readonly signal: AbortSignal
  readonly pass: (delivery: Forwarded) => Promise<Reply>
}

/** Until it is stopped. */
async function deliver(connection: Connection, { id, port, signal, pass, ...shown }: Delivering): Promise<void> {
  try {
    const isDirect = port !== undefined && (await canReach(connection, id, port))
    if (!isDirect) await connection.call('POST', `webhooks/${id}/disable`)
    process.stdout.write(`${readyLine({ ...shown, isDirect })}\n`)
    if (isDirect) await aborted(signal)
    else await pollDeliveries(connection, id, { signal, pass })
  } finally {
    await connection.call('DELETE', `webhooks/${id}`)
  }
}

const subscribe = ({ call }: Connection, { events }: Flags, url: string) =>
  call<{ readonly id: number; readonly secret: string }>('POST', 'webhooks', {
    url,
    events: events.split(',').map((event) => event.trim()),
    description: 'service-server listen',
    standard_webhooks: true,
  })

const isLocal = (url: string) => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)

/** Sends a test delivery through the platform and looks which of the two comes first: it, or the log of its failure. */
async function canReach({ call }: Connection, id: number, { reached }: LocalPort): Promise<boolean> {
  const delivery = await call<{ readonly id: number }>('POST', `webhooks/${id}/test`, { event: 'ticket.created' })
  for (;;) {
    const { data } = await call<{ readonly data: readonly { readonly outcome: string }[] }>(
      'GET',
      `deliveries/${delivery.id}/attempts`,
    )
    const [attempt] = data
    if (attempt !== undefined) return attempt.outcome === 'ok'
    await Promise.race([reached, new Promise((resolve) => setTimeout(resolve, 100))])
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

interface Ready extends Flags {
  readonly secret: string
  readonly isDirect: boolean
}

function readyLine({ json, url, forwardTo, events, secret, isDirect }: Ready): string {
  if (json === true) return JSON.stringify({ event: 'ready', forward_to: forwardTo, events, secret, direct: isDirect })
  const way = isDirect ? '' : '\nThe platform cannot send to this machine, so its deliveries are fetched.'
  return `${events} of ${url} → ${forwardTo}${way}\nSigning secret: ${secret}   (Ctrl-C ends)\n`
}

function lineOf({ headers }: Forwarded, { status, fault, ms }: Reply, json: boolean): string {
  const value = (name: string) => headers[headers.findIndex((each) => each.toLowerCase() === name) + 1] ?? ''
  const [time, name, attempt] = [new Date().toISOString(), value('x-service-event'), Number(value('x-service-attempt'))]
  if (json) {
    const delivery_id = value('x-service-delivery')
    return JSON.stringify({ event: 'delivery', time, name, delivery_id, attempt, status: status ?? null, fault, ms })
  }
  const again = attempt > 1 ? `   attempt ${attempt}` : ''
  return `${time.slice(11, 19)}  ${name.padEnd(16)} → ${status ?? fault}   ${ms} ms${again}`
}
