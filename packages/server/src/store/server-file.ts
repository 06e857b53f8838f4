import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** Where a server that owns a data directory is reached. */
export interface ServerAddress {
  /** Null while it has no port. */
  readonly url: string | null
  /** The file that holds its admin token; null when the token came from elsewhere. */
  readonly tokenFile: string | null
}

/** A process that owns, or owned, a data directory. Whether it still runs is told by the lock alone. */
export interface RunningServer extends ServerAddress {
  readonly pid: number
  readonly host: string
}

const fileName = 'server.json'

/** The file that says which process has a data directory; it begins without an address. */
export function createServerFile(directory: string): { write(address: ServerAddress): void; remove(): void } {
  const path = join(directory, fileName)
  const write = ({ url, tokenFile }: ServerAddress) => {
    const text = `${JSON.stringify({ pid: process.pid, host: hostname(), url, token_file: tokenFile })}\n`
    // Written beside and renamed, so that nobody ever reads half of it.
    writeFileSync(`${path}.new`, text, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  write({ url: null, tokenFile: null })
  return { write, remove: () => rmSync(path, { force: true }) }
}

/** What the last process that had the directory has written; undefined when there is nothing that can be read. */
export function readServerFile(directory: string): RunningServer | undefined {
  try {
    const { pid, host, url, token_file: tokenFile } = JSON.parse(readFileSync(join(directory, fileName), 'utf8'))
    return { pid, host, url, tokenFile }
  } catch {
    return undefined
  }
}

const ownerPatienceMs = 1000
const lookEveryMs = 10

/** The process that has just been found to own a directory: it writes the file as soon as it has the lock, so a moment is waited. */
export function readOwner(directory: string): RunningServer | undefined {
  for (let waitedMs = 0; waitedMs < ownerPatienceMs; waitedMs += lookEveryMs) {
    const owner = readServerFile(directory)
    if (owner !== undefined && !hasDied(owner)) return owner
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookEveryMs)
  }
  return undefined
}

/** Whether it is what a process has left that was killed. Of another machine nothing is known. */
function hasDied({ pid, host }: RunningServer): boolean {
  if (host !== hostname()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (fault) {
    return fault instanceof Error && 'code' in fault && fault.code === 'ESRCH'
  }
}

/** `process 4711 (http://127.0.0.1:8080)`, for a sentence. */
export function nameOfServer(running: RunningServer | undefined): string {
  if (running === undefined) return 'another process'
  const { pid, host, url } = running
  const elsewhere = host === hostname() ? '' : ` on ${host}`
  return `process ${pid}${elsewhere}${url === null ? '' : ` (${url})`}`
}
