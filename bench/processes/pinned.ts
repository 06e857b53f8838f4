import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** Server and load each get a core, so that neither takes the other's time; `any` is for where there are more of them. */
export type Role = 'server' | 'load' | 'any'

const cores: Readonly<Record<Role, string>> = { server: '0', load: '1', any: '0-1' }

/** Whether processes can be pinned here at all. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

export interface Launch {
  readonly role: Role
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdio: StdioOptions
}

/** Starts Node on the core of its role. taskset becomes Node (`exec`), so the pid is the one to measure. */
export function launch({ role, args, env, stdio }: Launch): ChildProcess {
  const command = canPin ? ['taskset', '-c', cores[role], process.execPath] : [process.execPath]
  const [file = process.execPath, ...before] = command
  return spawn(file, [...before, ...args], { stdio, env: { ...process.env, ...env } })
}

/** Asks a process to end, and resolves when it has. */
export function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
