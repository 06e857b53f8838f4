import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { RunningRedis } from './start-redis.ts'

// A Redis server with only the commands that the store uses, and without expiry, for machines without Redis.

type Reply = string | number | null | Error

export async function startFakeRedis(): Promise<RunningRedis> {
  const entries = new Map<string, string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let pending = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      pending += chunk
      for (let read = readCommand(pending); read !== undefined; read = readCommand(pending)) {
        pending = pending.slice(read.length)
        socket.write(encode(run(entries, read.command)))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function run(entries: Map<string, string>, [name = '', ...args]: readonly string[]): Reply {
  const [key = '', value = '', third = '', token = ''] = args
  if (name === 'CLIENT') return 'OK'
  if (name === 'GET') return entries.get(key) ?? null
  if (name === 'SET') {
    if (args.includes('NX') && entries.has(key)) return null
    entries.set(key, value)
    return 'OK'
  }
  if (name !== 'EVAL') return new Error(`unknown command '${name}'`)
  // Both scripts compare the value with the token. Then one deletes the key, and the other sets it. Arguments: script, 1, key, token.
  if (entries.get(third) !== token) return null
  if (key.includes("'DEL'")) return entries.delete(third) ? 1 : 0
  entries.set(third, 'done')
  return 'OK'
}

/** Reads the first complete command: `*<parts>`, then `$<bytes>` and the text of each. All text is ASCII. */
function readCommand(text: string): { readonly command: readonly string[]; readonly length: number } | undefined {
  const lines = text.split('\r\n')
  const parts = Number(lines[0]?.slice(1))
  if (!(lines.length > 2 * parts + 1)) return undefined
  const used = lines.slice(0, 2 * parts + 1)
  return {
    command: used.filter((_, index) => index > 0 && index % 2 === 0),
    length: used.join('\r\n').length + 2,
  }
}

function encode(reply: Reply): string {
  if (reply instanceof Error) return `-ERR ${reply.message}\r\n`
  if (reply === null) return '$-1\r\n'
  return typeof reply === 'number' ? `:${reply}\r\n` : `$${reply.length}\r\n${reply}\r\n`
}
