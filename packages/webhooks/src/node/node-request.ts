import type { HeaderSource } from '../options.ts'
import type { Incoming, Reply } from '../receiver.ts'
import { type BodyStream, readBody } from './read-body.ts'

/** What is needed of Node's request, which Express and others extend. */
export interface NodeRequest extends BodyStream {
  readonly method?: string | undefined
  readonly headers: HeaderSource
  readonly httpVersionMajor?: number
  /** What a body parser may have left. */
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** What is needed of Node's response. */
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

/** Answers, unless a handler of the caller has answered already. */
export function sendReply({ httpVersionMajor }: NodeRequest, response: NodeResponse, reply: Reply): void {
  if (response.headersSent) return
  response.statusCode = reply.status
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value)
  // The rest of the body is not wanted. HTTP/2 has streams for that and forbids this header.
  if ((reply.status === 413 || reply.status === 408) && httpVersionMajor === 1)
    response.setHeader('connection', 'close')
  response.end(reply.body)
}
