import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** The packages of a reader's project, and their folders in this repository. */
const installed = {
  '@service/client': 'packages/client',
  '@service/server': 'packages/server',
  '@service/webhooks': 'packages/webhooks',
  'fast-check': 'node_modules/fast-check',
  msw: 'packages/server/node_modules/msw',
  undici: 'packages/server/node_modules/undici',
  vitest: 'node_modules/vitest',
}

/** A code block of a page, and its first line. */
export interface Block {
  readonly line: number
  readonly code: string
}

/** Finds the blocks marked `ts`, which run unchanged. Blocks marked `typescript` are fragments. */
export function blocksOf(page: string): Block[] {
  return Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ({ index, 1: code = '' }) => ({
    line: page.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/** Runs the blocks of a page in order, after a prelude, in a project with the built packages. Returns their output. */
export async function runBlocks(path: string, prelude = ''): Promise<string> {
  const page = await readFile(join(root, path), 'utf8')
  // A reader replaces the token of an example. Preludes set the one that works.
  const blocks = blocksOf(page.replaceAll("'service_…'", 'globalThis.demoToken'))
  return runModules(new Map([['prelude', prelude], ...blocks.map(({ line, code }) => [`line-${line}`, code] as const)]))
}

/** Runs named modules in order. A failure names its module. */
export async function runModules(modules: ReadonlyMap<string, string>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'service-docs-'))
  try {
    await install(project)
    for (const [name, code] of modules) await writeFile(join(project, `${name}.mjs`), stripTypeScriptTypes(code))
    const imports = [...modules.keys()].map((name) => `await import('./${name}.mjs')`)
    await writeFile(join(project, 'all.mjs'), imports.join('\n'))
    const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: project })
    return stdout
  } finally {
    await rm(project, { recursive: true, maxRetries: 10 })
  }
}

async function install(project: string): Promise<void> {
  for (const [name, folder] of Object.entries(installed)) {
    const link = join(project, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, folder), link)
  }
}
