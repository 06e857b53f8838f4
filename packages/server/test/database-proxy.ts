import { createServer, connect as openSocket, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOnFreePort } from './free-port.ts'

/** A TCP proxy to PostgreSQL that can stall, refuse, and alter the traffic. */
export interface DatabaseProxy {
  /** The URL of the database, through the proxy. */
  readonly url: string
  /** Stops forwarding in both directions and does not answer new connections, like a suspended server. */
  stall(): void
  resume(): void
  /** Holds each new connection for this long before it is forwarded, like a slow network or sign-in. */
  delayConnections(ms: number): void
  /** Stalls at the first statement that contains this text. */
  stallAt(text: string): void
  /** Ends every connection that sends this text, as a pooler does with startup parameters or named statements. */
  refuse(text: string, answer?: { readonly code: string; readonly message: string }): void
  /** Replaces `text` in the database's responses by `other`, which has the same length. */
  answerInstead(text: string, other: string): void
  /** Breaks all connections. New ones lead to this database of the same server, whose name has the same length. */
  leadTo(url: string): void
  /** The next `commit` after a statement with this text reaches the database, but its response is lost. */
  loseCommitAfter(text: string): void
  /** The codes of the errors in the database's responses, which its own log has too. */
  readonly errors: readonly string[]
}

const anyError = 'VERROR'
const errorCode = /VERROR\0C(\w{5})/g

export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const errors: string[] = []
  const state = {
    isStalled: false,
    delayMs: 0,
    losesCommitAfter: '',
    stallsAt: '',
    refuses: '',
    refusal: Buffer.alloc(0) as Buffer,
    answer: undefined as Answer | undefined,
    database: target.pathname.slice(1),
  }
  const stall = () => {
    state.isStalled = true
    for (const socket of sockets) socket.pause()
  }
  const server = createServer((near) => {
    const far = openSocket(Number(target.port), target.hostname)
    for (const socket of [near, far]) follow(socket, sockets, state)
    if (state.delayMs > 0) setTimeout(() => near.resume(), near.pause() && state.delayMs).unref()
    let isMeant = false
    pass(near, far, (bytes) => {
      replaceIn(bytes, { text: target.pathname.slice(1), other: state.database })
      if (state.refuses !== '' && bytes.includes(state.refuses)) return refuse(near, far, state.refusal)
      if (state.stallsAt !== '' && bytes.includes(state.stallsAt)) stall()
      if (state.losesCommitAfter === '') return undefined
      isMeant ||= bytes.includes(state.losesCommitAfter)
      if (!isMeant || !bytes.includes('commit')) return undefined
      state.losesCommitAfter = ''
      far.removeAllListeners('data')
      far.once('data', () => near.destroy())
      return undefined
    })
    pass(far, near, (bytes) => {
      if (bytes.includes(anyError))
        for (const [, code = ''] of bytes.toString('latin1').matchAll(errorCode)) errors.push(code)
      if (state.answer !== undefined) replaceIn(bytes, state.answer)
    })
  })
  onTestFinished(() => end(server, sockets))
  const through = new URL(url)
  through.port = String(await listenOnFreePort(server))
  return {
    url: through.href,
    errors,
    stall,
    refuse(text, answer) {
      state.refuses = text
      state.refusal = answer === undefined ? Buffer.alloc(0) : toErrorResponse(answer)
    },
    delayConnections(ms) {
      state.delayMs = ms
    },
    stallAt(text) {
      state.stallsAt = text
    },
    answerInstead(text, other) {
      state.answer = { text, other }
    },
    leadTo(url) {
      state.database = new URL(url).pathname.slice(1)
      for (const socket of sockets) socket.destroy()
    },
    resume() {
      state.isStalled = false
      for (const socket of sockets) socket.resume()
    },
    loseCommitAfter(text) {
      state.losesCommitAfter = text
    },
  }
}

function refuse(near: Socket, far: Socket, answer: Buffer): 'handled' {
  far.destroy()
  near.end(answer)
  return 'handled'
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function toErrorResponse({ code, message }: { readonly code: string; readonly message: string }): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

function follow(socket: Socket, sockets: Set<Socket>, { isStalled }: { readonly isStalled: boolean }): void {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => void sockets.delete(socket))
  if (isStalled) socket.pause()
}

/** Bytes for which `see` returns `handled` are not forwarded. */
function pass(from: Socket, to: Socket, see: (bytes: Buffer) => unknown): void {
  from.on('data', (bytes) => {
    if (see(bytes) !== 'handled') to.write(bytes)
  })
  from.on('close', () => void (to.writableEnded || to.destroy()))
}

interface Answer {
  readonly text: string
  readonly other: string
}

function replaceIn(bytes: Buffer, { text, other }: Answer): void {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + other.length)) bytes.write(other, at)
}

function end(server: Server, sockets: ReadonlySet<Socket>): void {
  server.close()
  for (const socket of sockets) socket.destroy()
}
