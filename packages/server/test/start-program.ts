import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { Ended } from './cli-in-process.ts'

/** A running program and its output so far. */
export interface Program {
  readonly child: ChildProcess
  readonly said: { stdout: string; stderr: string }
  /** The first line on stdout; rejects with the output if the process exits before. */
  readonly firstLine: Promise<string>
  /** The exit code, once all output has arrived. */
  readonly ended: Promise<number | null>
}

/** Ends a program, and what it has started if it leads a process group. */
function kill({ pid }: ChildProcess, isLeader: boolean): void {
  if (pid === undefined) return
  try {
    process.kill(isLeader ? -pid : pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Starts a program with its arguments. It is killed when the test ends. */
export function startProgram([path = '', ...args]: readonly string[], options: SpawnOptions): Program {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  onTestFinished(() => kill(child, options.detached === true))
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      said.stdout += text
      if (said.stdout.includes('\n')) resolve(said.stdout.slice(0, said.stdout.indexOf('\n')))
    })
    void ended.then((code) => reject(new Error(`The program ended with ${code}: ${said.stderr}`)))
  })
  // Not every test waits for the first line.
  firstLine.catch(() => undefined)
  child.stderr?.on('data', (text) => {
    said.stderr += text
  })
  return { child, said, firstLine, ended }
}

/** Waits until a program has ended. */
export async function endOf({ ended, said }: Program): Promise<Ended> {
  return { code: await ended, ...said }
}
