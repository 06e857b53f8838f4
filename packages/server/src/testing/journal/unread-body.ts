import { setImmediate } from '../../core/real-timers.ts'

const mostRead = 65_536

/**
 * The body of a request that was refused before anybody read it. Only of what stands ready: nobody waits for a sender,
 * and over a port the adapter takes care of what is left.
 */
export async function readUnread(request: Request): Promise<Uint8Array | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD' || request.bodyUsed || request.body === null)
    return undefined
  const reader = request.body.getReader()
  const read = readAll(reader).catch(() => undefined)
  const body = await Promise.race([read, nextTurn()])
  if (body === undefined) await reader.cancel().catch(() => undefined)
  return body
}

/**
 * The body of an answer that a fault may have made. One with a length is damaged or slow on purpose, and to read it here
 * would change how the caller gets it.
 */
export async function readWhole(response: Response): Promise<string | undefined> {
  if (response.body === null || response.headers.has('content-length')) return undefined
  const text = response
    .clone()
    .text()
    .catch(() => undefined)
  return Promise.race([text, nextTurn()])
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks, length)
    chunks.push(value)
    length += value.length
    if (length > mostRead) return undefined
  }
}

const nextTurn = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))
