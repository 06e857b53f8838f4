import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Installation {
  /** Where the tools are. */
  readonly tools: string
  /** A project that has the packages installed, and the suite beside them. */
  readonly project: string
  /** The packed packages. */
  readonly tarballs: readonly string[]
}

export interface Row {
  readonly kind: string
  readonly name: string
  /** Below the oldest version that the packages ask for: told, but not demanded. */
  readonly isUnsupported?: boolean
  /** What was seen, which must equal what is expected. */
  readonly run: (place: Installation) => Promise<unknown>
  readonly expected: unknown
}

const execute = promisify(execFile)

/** The output of a program that has to end well within five minutes. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute(command, args, { cwd, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 })
  return stdout
}
