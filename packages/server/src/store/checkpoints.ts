import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type SqliteDatabase from 'better-sqlite3'
import { threadFile } from '../core/body-reading-thread.ts'
import { after } from '../core/clock.ts'

// By default SQLite checkpoints after a commit: every 1,000 pages the writer, and with it the whole process, waits 10
// to 20 ms until they are copied and synced. Here a thread copies them (a passive checkpoint does not block anything).
// It starts when there is something to copy and ends after an idle period, so a quiet server has no thread.

const pagesPerCheckpoint = 1000

/**
 * Under continuous writes the thread never reaches the end of the WAL, which can only restart there. So the writer
 * finishes a WAL of this length itself; little is left to copy by then.
 */
export const pagesUntilWriterCheckpoints = 8000

/** A WAL that grew while something read for a long time becomes this small again when it restarts. */
export const walSizeLimitBytes = 64 * 1024 * 1024

/** Reading the length of the WAL takes about 15 µs. */
const commitsBetweenChecks = 8
const longCommitMs = 3
const idleTimeoutMs = 5_000

export interface Checkpoints {
  committed(durationMs: number): void
  /** Resolves when the thread has closed its connection. */
  close(): Promise<void>
}

interface LogState {
  readonly log: number
  readonly checkpointed: number
}

export function createCheckpoints(writer: SqliteDatabase.Database, path: string): Checkpoints {
  const logState = writer.prepare<[], LogState>('pragma wal_checkpoint(noop)')
  let commits = 0
  let isCopying = false
  let hasFailed = false
  let thread: Worker | undefined
  let cancelIdleTimer: (() => void) | undefined

  function start(): Worker {
    const started = new Worker(threadFile('checkpoint-thread', import.meta.url), { workerData: path })
    const onExit = () => {
      if (thread !== started) return
      thread = undefined
      isCopying = false
    }
    started.on('message', () => {
      isCopying = false
      cancelIdleTimer = after(idleTimeoutMs, () => void end())
    })
    // Without a thread, the WAL grows until the writer finishes it.
    started.on('error', () => {
      hasFailed = true
    })
    started.once('exit', onExit)
    started.unref()
    return started
  }

  async function end(): Promise<void> {
    cancelIdleTimer?.()
    const ending = thread
    thread = undefined
    if (ending === undefined) return
    const exited = once(ending, 'exit')
    ending.ref()
    ending.postMessage('close')
    await exited.catch(() => undefined)
  }

  function checkpointIfDue(): void {
    commits = 0
    const state = logState.get()
    if (state === undefined || state.log - state.checkpointed < pagesPerCheckpoint) return
    isCopying = true
    cancelIdleTimer?.()
    thread ??= start()
    thread.postMessage('checkpoint')
  }

  return {
    committed(durationMs) {
      commits += 1
      if (!isCopying && !hasFailed && (commits >= commitsBetweenChecks || durationMs > longCommitMs)) checkpointIfDue()
    },
    close: end,
  }
}
