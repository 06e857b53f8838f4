import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export const cliPath = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** A command-line process and its output so far. */
export interface Cli {
  readonly child: ChildProcess
  readonly said: { stdout: string; stderr: string }
  /** The first line on stdout; rejects with the output if the process exits before. */
  readonly firstLine: Promise<string>
  /** The exit code, once all output has arrived. */
  readonly ended: Promise<number | null>
}

interface CliLimits {
  /** How many files the process may open. */
  readonly files?: number
}

/** Runs the built `service-server` with only the given environment. It is killed when the test ends. */
export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { files }: CliLimits = {},
): Cli {
  if (!existsSync(cliPath)) throw new Error('The command line is not built. Run "npx --yes pnpm@12 build" first.')
  const program = [process.execPath, cliPath, ...args]
  const limited = files === undefined ? program : ['bash', '-c', `ulimit -n ${files} && exec "$0" "$@"`, ...program]
  const child = spawn(limited[0] ?? '', limited.slice(1), {
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { stdout: '', stderr: '' }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      said.stdout += text
      if (said.stdout.includes('\n')) resolve(said.stdout.slice(0, said.stdout.indexOf('\n')))
    })
    void ended.then((code) => reject(new Error(`The command line ended with ${code}: ${said.stderr}`)))
  })
  // Not every test waits for the first line.
  firstLine.catch(() => undefined)
  child.stderr.on('data', (text) => {
    said.stderr += text
  })
  return { child, said, firstLine, ended }
}
