import { readFileSync } from 'node:fs'

const ticksPerSecond = 100 // USER_HZ, which is 100 on every Linux that Node runs on

/** CPU time that a process has used so far, with all its threads: garbage collection and compilation count too. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the command in parentheses and may hold spaces; utime and stime are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond
}

/** Memory that a process holds at the moment, in megabytes. */
export function rssMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
