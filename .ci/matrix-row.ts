import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Installation {
  /** The folder of the installed tools. */
  readonly tools: string
  /** A project with the packages and the suite. */
  readonly project: string
  /** The paths of the packed packages. */
  readonly tarballs: readonly string[]
}

export interface Row {
  readonly kind: string
  readonly name: string
  /** Older than the packages support. The result is reported, but a failure does not fail the run. */
  readonly isUnsupported?: boolean
  /** Returns the result, which must equal `expected`. */
  readonly run: (installation: Installation) => Promise<unknown>
  readonly expected: unknown
}

const execute = promisify(execFile)

/** Runs a program and returns its output. It must succeed within five minutes. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 })
  return stdout
}
