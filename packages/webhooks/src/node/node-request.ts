import type { HeaderSource } from '../options.ts'
import type { Incoming, Reply } from '../receiver.ts'
import { type BodyStream, readBody } from './read-body.ts'

/** The properties of Node's request that the receiver uses. Express and others extend it. */
export interface NodeRequest extends BodyStream {
  readonly method?: string | undefined
  readonly headers: HeaderSource
  readonly httpVersionMajor?: number
  /** Set by some body parsers. */
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** The properties of Node's response that the receiver uses. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

export const fromNode = (
  request: NodeRequest,
  parsed: Pick<NodeRequest, 'rawBody' | 'body'> = request,
  stream: BodyStream = request,
): Incoming => ({
  method: request.method,
  headers: request.headers,
  read: (limits) => readBody(stream, [parsed.rawBody, parsed.body], limits),
})

/** Sends the reply, unless the caller's handler has already sent a response. */
export function sendReply({ httpVersionMajor }: NodeRequest, response: NodeResponse, reply: Reply): void {
  if (response.headersSent) return
  response.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) {
    // HTTP/2 forbids this header, and Node prints a warning.
    if (name !== 'connection' || httpVersionMajor === 1) response.setHeader(name, value)
  }
  response.end(reply.body)
}
