import { once } from 'node:events'
import { connect } from 'node:net'

// As little HTTP as it takes to count answers. undici needs a tenth of a millisecond for each, and a client that slow
// changes what is measured: half of 32 clients are then still busy with the last answer when a group of writes begins.

export interface HttpClient {
  /** Sends a request over the one connection and resolves to the status once the whole answer is here. */
  ask(text: string): Promise<number>
  /** Whether it may be asked again: the server has neither closed the connection nor said that it will. */
  isOpen(): boolean
  close(): void
}

const endOfHead = '\r\n\r\n'
const lastChunk = Buffer.from('0\r\n\r\n')

export async function connectClient({ hostname, port }: URL): Promise<HttpClient> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let head = ''
  let status = 0
  let missing = 0
  let isOpen = true
  let answered: (status: number) => void = () => undefined
  let failed: (fault: Error) => void = () => undefined
  socket.on('data', (chunk: Buffer) => {
    missing -= chunk.length
    if (status === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf(endOfHead)
      if (end === -1) return
      const length = lengthOf(head.slice(0, end))
      if (length === undefined) return failed(new Error(`The server sent an answer without a length:\n${head}`))
      status = Number(head.slice(9, 12))
      isOpen &&= !/^connection: *close/im.test(head)
      missing = length - (head.length - end - endOfHead.length)
    }
    if (missing === Number.POSITIVE_INFINITY ? !chunk.subarray(-lastChunk.length).equals(lastChunk) : missing > 0)
      return
    const received = status
    head = ''
    status = 0
    answered(received)
  })
  socket.on('close', () => {
    isOpen = false
    failed(new Error('The server closed a connection in the middle of a measurement.'))
  })
  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        answered = resolve
        failed = reject
        socket.write(text)
      }),
    isOpen: () => isOpen,
    close: () => socket.destroy(),
  }
}

/** A 304 has no body (RFC 9110, 15.4.5); one in chunks goes on until the last of them, which nobody here sends in two. */
function lengthOf(head: string): number | undefined {
  if (head.startsWith('HTTP/1.1 304')) return 0
  if (/^transfer-encoding: *chunked/im.test(head)) return Number.POSITIVE_INFINITY
  const length = /^content-length: *(\d+)/im.exec(head)?.[1]
  return length === undefined ? undefined : Number(length)
}
