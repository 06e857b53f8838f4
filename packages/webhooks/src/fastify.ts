import { fromNode, type NodeRequest } from './node/node-request.ts'
import type { BodyStream } from './node/read-body.ts'
import { createReceiver, type HandlerOptions, handlerTypes, type Receive } from './receiver.ts'

export type { NodeRequest } from './node/node-request.ts'
export type { BodyStream } from './node/read-body.ts'
export type { EventHandlers, HandlerOptions } from './receiver.ts'

/** The properties of Fastify's request that the handler uses. */
export interface FastifyRequest {
  readonly raw: NodeRequest
  readonly body?: unknown
}

/** The methods of Fastify's reply that the handler uses. */
export interface FastifyReply {
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  send(body?: string): unknown
}

/** The methods of a Fastify instance that the plugin uses. */
export interface FastifyInstance<Request> {
  removeAllContentTypeParsers(): void
  addContentTypeParser(
    type: string,
    parser: (request: Request, payload: BodyStream, done: (error: null, body: unknown) => void) => void,
  ): unknown
  all(path: string, handler: (request: Request, reply: FastifyReply) => Promise<unknown>): unknown
}

/**
 * Creates a plugin that serves one path. Fastify parses JSON before handlers run, so the plugin turns parsing off
 * for its own route. Other routes are not affected.
 *
 * @example
 * app.register(createWebhookPlugin({ path: '/webhooks', secret, on }))
 */
export function createWebhookPlugin<Request extends FastifyRequest>(
  options: HandlerOptions<Request> & { readonly path: string },
): (instance: FastifyInstance<Request>) => Promise<void> {
  const receive = createReceiver(options, { ...handlerTypes, path: 'a string' })
  return async (instance) => {
    if (!instance.removeAllContentTypeParsers) throw new TypeError('register the plugin, or use createWebhookHandler')
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    instance.all(options.path, handlerOf(receive))
  }
}

/** Creates a handler for your own route. The route must keep the body raw (a Buffer) or provide it as `rawBody`. */
export function createWebhookHandler<Request extends FastifyRequest>(
  options: HandlerOptions<Request>,
): (request: Request, reply: FastifyReply) => Promise<unknown> {
  return handlerOf(createReceiver(options))
}

function handlerOf<Request extends FastifyRequest>(receive: Receive<Request>) {
  return async (request: Request, reply: FastifyReply): Promise<unknown> => {
    if (!request.raw) throw new TypeError('to register a plugin, use createWebhookPlugin')
    const { status, headers, body } = await receive(fromNode(request.raw, request, streamOf(request)), request)
    reply.code(status)
    reply.headers(headers)
    reply.send(body || undefined)
    return reply
  }
}

/** A hook may have replaced the request stream, for example to decompress it. */
const streamOf = ({ body, raw }: FastifyRequest): BodyStream => (isStream(body) ? body : raw)

const isStream = (body: unknown): body is BodyStream => !!(body as BodyStream | undefined)?.iterator
