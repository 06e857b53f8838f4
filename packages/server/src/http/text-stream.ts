import { ReadableStream as NodeReadableStream } from 'node:stream/web'

/** Text that is read as it is sent. A response that is cancelled ends the iteration. */
export const textStream = (parts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  NodeReadableStream.from(encoded(parts)) as ReadableStream<Uint8Array> // lib.dom does not know `from`

async function* encoded(parts: AsyncIterable<string>) {
  const encoder = new TextEncoder()
  for await (const part of parts) yield encoder.encode(part)
}
