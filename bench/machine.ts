import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

/** Where and when figures were taken; without it a number says little. */
export interface Machine {
  readonly date: string
  readonly cpu: string
  readonly cores: number
  readonly memory: string
  readonly system: string
  readonly node: string
  /** Processes that wanted a core when the run began, averaged over a minute. */
  readonly loadBefore: number
}

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${type()} ${release()}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  }
}
