import { readdirSync, readFileSync } from 'node:fs'

/** CPU time that a process has used so far, with all its threads: garbage collection and compilation count too. */
export function cpuMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  // schedstat counts nanoseconds, where /proc/<pid>/stat counts ticks of 10 ms, a whole percent of a second.
  const nanoseconds = threads.map(
    (thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0],
  )
  return nanoseconds.reduce((sum, text) => sum + Number(text), 0) / 1000
}

/** Memory that a process holds at the moment, in megabytes. */
export function rssMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
