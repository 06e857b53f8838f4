import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { NetworkError } from '@service/client'
import type { Admin, Delivery } from '@service/client/admin'
import { request } from 'undici'
import { stopwatchMs } from '../core/clock.ts'

/** A delivery for the local receiver, with its headers as alternating names and values. */
export interface Forwarded {
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** The value of a header, by its name in lower case; empty if it is missing. */
export function getHeader({ headers }: Forwarded, name: string): string {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name)
  return at === -1 ? '' : (headers[at + 1] ?? '')
}

export interface ForwardResult {
  readonly status: number | undefined
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly fault: string | undefined
  readonly ms: number
}

const connectionHeaders = /^(?:host|connection|content-length|transfer-encoding|keep-alive)$/i

/** The platform's own timeout plus a margin. */
const maxResponseMs = 30_000

/** Forwards a delivery with the same bytes and headers. Never rejects. */
export function forward(to: URL, delivery: Forwarded): Promise<ForwardResult> {
  const startedAt = stopwatchMs()
  const ms = () => Math.round(stopwatchMs() - startedAt)
  return send(to, delivery, ms).catch((fault: Error) => {
    return { status: undefined, headers: [], body: Buffer.alloc(0), fault: causeOf(fault), ms: ms() }
  })
}

async function send(to: URL, { headers, body }: Forwarded, ms: () => number): Promise<ForwardResult> {
  const response = await request(to, {
    method: 'POST',
    headers: withoutConnection(headers),
    body,
    responseHeaders: 'raw',
    headersTimeout: maxResponseMs,
    bodyTimeout: maxResponseMs,
  })
  return {
    status: response.statusCode,
    headers: withoutConnection(response.headers as unknown as string[]), // returned by `raw`
    body: Buffer.from(await response.body.arrayBuffer()),
    fault: undefined,
    ms: ms(),
  }
}

const causeOf = (fault: Error) => ('code' in fault ? String(fault.code) : fault.message)

const withoutConnection = (flat: readonly string[]): string[] =>
  flat.flatMap((name, index) => (index % 2 === 1 || connectionHeaders.test(name) ? [] : [name, flat[index + 1] ?? '']))

export interface LocalPort {
  readonly url: string
  /** Resolves when the first test delivery arrives. Test deliveries are not forwarded. */
  readonly reached: Promise<void>
  close(): void
}

/**
 * Opens a port and relays the local application's response to the platform, which retries on failure. The path is
 * secret, because web pages can send requests to any local port and must not reach the application
 * this way.
 */
export async function listenLocally(forward: (delivery: Forwarded) => Promise<ForwardResult>): Promise<LocalPort> {
  let resolveReached: () => void = () => undefined
  let isReached = false
  const reached = new Promise<void>((resolve) => {
    resolveReached = resolve
  })
  const path = `/${randomBytes(24).toString('base64url')}`
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== path) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      if (!isReached && request.headers['x-service-test'] === 'true') {
        isReached = true
        resolveReached()
        return void response.writeHead(204).end()
      }
      answer(response, await forward({ headers: request.rawHeaders, body: Buffer.concat(chunks) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // set because it listens on a port
  return {
    url: `http://127.0.0.1:${port}${path}`,
    reached,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Relays a response. One with an invalid status or header becomes a 502. */
function answer(response: ServerResponse, { status = 502, headers, body }: ForwardResult): void {
  try {
    response.writeHead(status, [...headers]).end(body)
  } catch {
    if (!response.headersSent) response.writeHead(502)
    response.end()
  }
}

const pollIntervalMs = 500

export interface Subscription {
  readonly admin: Admin
  readonly path: { readonly workspace: number; readonly id: number }
  readonly signal: AbortSignal
}

/**
 * Polls the held deliveries of a disabled subscription and forwards each one, oldest first, as the platform would send
 * it. This needs no inbound connection, so the platform can be anywhere.
 */
export async function pollDeliveries(
  subscription: Subscription,
  forward: (delivery: Forwarded) => Promise<unknown>,
): Promise<void> {
  const { admin, path, signal } = subscription
  let last = 0
  while (!signal.aborted) {
    const held = await newerThan(subscription, last).catch(ignoreNetworkError)
    for (const { id, is_test } of held) {
      last = id
      if (is_test) continue // only used to detect whether this machine is reachable
      const { headers, body } = await admin.deliveries.request({ workspace: path.workspace, id })
      await forward({ headers: headers.flat(), body: Buffer.from(body) })
    }
    await wait(pollIntervalMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Retries while the platform restarts. */
function ignoreNetworkError(fault: unknown): [] {
  if (fault instanceof NetworkError) return []
  throw fault
}

async function newerThan({ admin, path }: Subscription, last: number): Promise<Delivery[]> {
  const fresh: Delivery[] = []
  for (let before: number | undefined; ; ) {
    const filter = { subscription_id: path.id, before }
    const { data, next_before } = await admin.deliveries.list({ workspace: path.workspace }, filter)
    fresh.unshift(...data.filter(({ id }) => id > last).toReversed())
    if (next_before === null || next_before <= last) return fresh
    before = next_before
  }
}
