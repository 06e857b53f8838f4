import { ReadableStream as NodeReadableStream } from 'node:stream/web'

/** Text that is generated while it is sent. Cancelling the response ends the iteration. */
export const textStream = (parts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  NodeReadableStream.from(encoded(parts)) as ReadableStream<Uint8Array> // missing from lib.dom

async function* encoded(parts: AsyncIterable<string>) {
  const encoder = new TextEncoder()
  for await (const part of parts) yield encoder.encode(part)
}
