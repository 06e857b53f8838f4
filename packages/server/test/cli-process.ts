import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endOf, type Program, startProgram } from './start-program.ts'

export const cliPath = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

interface CliOptions {
  /** The beginning of a command that runs the program. */
  readonly within?: readonly string[]
  readonly cwd?: string
}

/** Runs a program below a limit of the shell, such as `-n 200` for open files or `-f 100` for blocks in a file. */
export const belowLimit = (limit: string) => ['bash', '-c', `ulimit ${limit} && exec "$0" "$@"`]

/** Runs the built `service-server` with only the given environment. It is killed when the test ends. */
export function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { within = [], cwd }: CliOptions = {},
): Program {
  if (!existsSync(cliPath)) throw new Error('The command line is not built. Run "npx --yes pnpm@12 build" first.')
  return startProgram([...within, process.execPath, cliPath, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...environment },
  })
}

/** Runs the built `service-server` until it ends. */
export const runCliToEnd = (...given: Parameters<typeof runCli>) => endOf(runCli(...given))
