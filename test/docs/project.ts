import type { StdioOptions } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { freshDirectory } from '../../packages/server/test/fresh-directory.ts'
import { endOf, startProgram } from '../../packages/server/test/start-program.ts'
import { repoRoot } from '../tooling/repo.ts'

type Texts = Readonly<Record<string, string>>

/** What the pages install, and where this repository has it. */
const installed: Texts = {
  '.bin/service-server': 'packages/server/dist/cli.js',
  '@opentelemetry/sdk-node': 'node_modules/@opentelemetry/sdk-node',
  '@service/client': 'packages/client',
  '@service/server': 'packages/server',
  '@service/webhooks': 'packages/webhooks',
  'fast-check': 'node_modules/fast-check',
  msw: 'packages/server/node_modules/msw',
  undici: 'packages/server/node_modules/undici',
  vitest: 'node_modules/vitest',
}

/** Creates the folder of a reader, with the built packages, files, and shell scripts as commands. */
export async function createProject({ files = {}, commands = {} }: { files?: Texts; commands?: Texts } = {}) {
  const folder = await freshDirectory()
  for (const [name, path] of Object.entries(installed)) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(repoRoot, path), link)
  }
  mkdirSync(join(folder, 'bin'))
  for (const [name, script] of Object.entries(commands))
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  return folder
}

interface Shell {
  readonly folder: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdio?: StdioOptions
}

/** Starts a script in the folder of a reader, with the commands of that folder. */
export const startShell = (script: string, { folder, env, ...others }: Shell) =>
  startProgram(['bash', '-c', script], {
    cwd: folder,
    // The script may leave servers behind, which end with its process group.
    detached: true,
    env: {
      PATH: `${folder}/bin:${folder}/node_modules/.bin:${dirname(process.execPath)}:${process.env['PATH']}`,
      ...env,
    },
    ...others,
  })

/** Runs a script until it ends, which must not fail. Returns what it printed. */
export async function runShell(script: string, shell: Shell): Promise<string> {
  const { code, stdout, stderr } = await endOf(startShell(script, shell))
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)])
  return stdout + stderr
}
