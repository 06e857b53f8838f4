import { runProgram } from '../src/cli/program.ts'

/** The output and exit code of a command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

type Variables = Readonly<Record<string, string>>

/**
 * Runs a command of the command line in this process, with the settings that are given and no others: a hundred commands
 * take as long as ten processes. One at a time, because a process has one environment and one stdout.
 */
export async function runHere(words: readonly string[], settings: Variables = {}): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const { env, exitCode } = process
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: unknown) => {
      said[name] += String(text)
      return true
    }
  process.env = { PATH: env['PATH'], ...settings }
  process.exitCode = undefined
  const listeners = new Set(signals.flatMap((signal) => process.listeners(signal)))
  try {
    await runProgram(words)
    return { ...said, code: Number(process.exitCode ?? 0) }
  } finally {
    // A command waits for signals until its process ends.
    for (const signal of signals)
      for (const listener of process.listeners(signal)) if (!listeners.has(listener)) process.off(signal, listener)
    process.exitCode = exitCode
    process.env = env
    process.stdout.write = writes.stdout
    process.stderr.write = writes.stderr
  }
}
