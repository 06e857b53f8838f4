import { fromNode, type NodeRequest } from './node/node-request.ts'
import type { BodyStream } from './node/read-body.ts'
import { createReceiver, type HandlerOptions } from './receiver.ts'

export type { NodeRequest } from './node/node-request.ts'
export type { BodyStream } from './node/read-body.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** What is needed of Fastify's request. */
export interface FastifyRequest {
  readonly raw: NodeRequest
  readonly body?: unknown
}

/** What is needed of Fastify's reply. */
export interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body?: string): unknown
}

/** What is needed of a Fastify instance. */
export interface FastifyInstance<Request> {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    parser: (request: Request, payload: BodyStream, done: (error: null, body: unknown) => void) => void,
  ): unknown
  all(path: string, handler: (request: Request, reply: FastifyReply) => Promise<unknown>): unknown
}

/**
 * A plugin that serves one path. Fastify parses JSON before handlers run, so inside the plugin, and only there, bodies are
 * left alone.
 *
 * @example
 * app.register(createWebhookPlugin({ path: '/webhooks', secret, on }))
 */
export function createWebhookPlugin<Request extends FastifyRequest>(
  options: HandlerOptions<Request> & { readonly path: string },
): (instance: FastifyInstance<Request>) => Promise<void> {
  const handler = createWebhookHandler(options)
  return async (instance) => {
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    instance.all(options.path, handler)
  }
}

/** A handler for a route of your own, whose body is left raw (a Buffer) or kept as `rawBody`. */
export function createWebhookHandler<Request extends FastifyRequest>(
  options: HandlerOptions<Request>,
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  const receive = createReceiver(options)
  return async (request, reply) => {
    const { status, headers, body } = await receive(fromNode(request.raw, request, streamOf(request)), request)
    reply.code(status)
    reply.headers(headers)
    reply.send(body || undefined)
    return reply
  }
}

/** A hook may have put a stream of its own in the place of the request, to unzip it for example. */
const streamOf = ({ body, raw }: FastifyRequest): BodyStream => (isStream(body) ? body : raw)

const isStream = (body: unknown): body is BodyStream =>
  typeof body === 'object' && body !== null && 'pause' in body && 'readableEnded' in body
