import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Long enough to install a program first. */
export const installTimeoutMs = 300_000

interface Program {
  /** Where it may be; the first that exists is taken. */
  readonly paths: readonly string[]
  readonly debianPackage: string
}

/** The path of a program. On Debian, root installs it if it is missing. */
export async function installedProgram({ paths, debianPackage }: Program): Promise<string> {
  const find = () => paths.find((path) => existsSync(path))
  const found = find() ?? (await install(debianPackage).then(find))
  if (found !== undefined) return found
  throw new Error(`There is no ${paths[0]}. Install it (on Debian: apt-get install -y ${debianPackage}).`)
}

/** Concurrent test files wait, because apt refuses a second installation. */
async function install(debianPackage: string): Promise<void> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = '-qq --no-install-recommends -o DPkg::Lock::Timeout=240'
  const script = `apt-get update -qq && apt-get install -y ${options} ${debianPackage}`
  await run('flock', [join(tmpdir(), 'install-program.lock'), 'sh', '-c', script], { env, maxBuffer: 2 ** 26 })
}
