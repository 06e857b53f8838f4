import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

// Loaded into a server that is watched for long: tells what it holds after all garbage is collected.

/** What a process holds, and how late its event loop was since it was asked for the last time. */
export interface ProcessSample {
  readonly heapMb: number
  /** Buffers and what native code holds for JavaScript. */
  readonly externalMb: number
  /** Sockets, timers, files: what keeps an event loop alive. */
  readonly resources: number
  readonly delayP99Ms: number
  readonly delayMaxMs: number
}

function watchProcess(): void {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  process.on('message', (message) => {
    if (message !== 'sample') return
    const delayP99Ms = delays.percentile(99) / 1e6
    const delayMaxMs = delays.max / 1e6
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    const resources = process.getActiveResourcesInfo().length
    const sample: ProcessSample = {
      ...{ heapMb: heapUsed / 1e6, externalMb: external / 1e6 },
      ...{ resources, delayP99Ms, delayMaxMs },
    }
    process.send?.(sample)
    delays.reset()
  })
  process.channel?.unref()
}

if (isMainThread) watchProcess()
