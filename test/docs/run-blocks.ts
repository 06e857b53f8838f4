import { stripTypeScriptTypes } from 'node:module'
import { readRepoFile } from '../tooling/repo.ts'
import { blocksOf } from './page.ts'
import { createProject, runShell } from './project.ts'

/** Runs the blocks of a page in order, after a prelude, in a project with the built packages. Returns their output. */
export async function runBlocks(path: string, prelude = ''): Promise<string> {
  // A reader replaces the token of an example. Preludes set the one that works.
  const blocks = blocksOf(readRepoFile(path).replaceAll("'service_…'", 'globalThis.demoToken'), 'ts')
  return runModules(new Map([['prelude', prelude], ...blocks.map(({ line, code }) => [`line-${line}`, code] as const)]))
}

/** Runs named modules in order. A failure names its module. */
export async function runModules(modules: ReadonlyMap<string, string>): Promise<string> {
  const files = Array.from(modules, ([name, code]) => [`${name}.mjs`, stripTypeScriptTypes(code)])
  const all = Array.from(modules.keys(), (name) => `await import('./${name}.mjs')`).join('\n')
  const folder = await createProject({ files: { ...Object.fromEntries(files), 'all.mjs': all } })
  return runShell('node all.mjs', { folder })
}
