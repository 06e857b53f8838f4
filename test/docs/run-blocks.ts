import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the project of a reader has installed, and where it lies here. */
const installed = {
  '@service/client': 'packages/client',
  '@service/server': 'packages/server',
  '@service/webhooks': 'packages/webhooks',
  msw: 'packages/server/node_modules/msw',
  vitest: 'node_modules/vitest',
}

/** A block of a page that is to be run, and the line on which it begins. */
export interface Block {
  readonly line: number
  readonly code: string
}

/** Blocks marked `ts` run as they are printed; `typescript` marks those that need surroundings. */
export function blocksOf(page: string): Block[] {
  return Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ({ index, 1: code = '' }) => ({
    line: page.slice(0, index).split('\n').length + 1,
    code,
  }))
}

/** Runs the blocks of a page one after the other, in a project with the built packages. Gives back what they print. */
export async function runBlocks(path: string): Promise<string> {
  const blocks = blocksOf(await readFile(join(root, path), 'utf8'))
  return runModules(new Map(blocks.map(({ line, code }) => [`line-${line}`, code])))
}

/** Runs modules by their names, one after the other. A failure names the one that failed. */
export async function runModules(modules: ReadonlyMap<string, string>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'service-docs-'))
  try {
    await install(project)
    for (const [name, code] of modules) await writeFile(join(project, `${name}.mjs`), stripTypeScriptTypes(code))
    const all = [...modules.keys()].map((name) => `await import('./${name}.mjs')`)
    await writeFile(join(project, 'all.mjs'), all.join('\n'))
    const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: project })
    return stdout
  } finally {
    await rm(project, { recursive: true, maxRetries: 10 })
  }
}

async function install(project: string): Promise<void> {
  for (const [name, place] of Object.entries(installed)) {
    const link = join(project, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, place), link)
  }
}
