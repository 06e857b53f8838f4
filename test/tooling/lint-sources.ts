import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repoRoot } from './repo.ts'

export type Finding = { file: string; line: number; rule: string }
export type Source = { file: string; source: string }

/**
 * Lints sources that do not exist here: they are written to a temporary folder beside a copy of our configuration, so
 * that a path such as `packages/server/src/modules/tickets/queries.ts` meets the rules of its role.
 */
export async function lintSources(sources: readonly Source[]): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lint-sources-'))
  try {
    await cp(join(repoRoot, 'biome.jsonc'), join(folder, 'biome.jsonc'))
    await cp(join(repoRoot, '.ci'), join(folder, '.ci'), { recursive: true })
    for (const { file, source } of sources) await write(join(folder, file), source)
    return await lint(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function write(path: string, source: string) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, source)
}

type Report = {
  summary: { unchanged: number }
  diagnostics: { category: string; location: { path: string; start: { line: number } } }[]
}

/** Biome ends with 1 whenever it reports something; an output that is not its report means that it did not run. */
async function lint(folder: string): Promise<Finding[]> {
  const output = await biome(['lint', '--reporter=json', '--max-diagnostics=none', 'packages'], folder)
  // The shape is that of the pinned version of Biome; a change of it makes every test here fail.
  const report = JSON.parse(output) as Report
  if (report.summary.unchanged === 0) throw new Error('biome looked at no file')
  return report.diagnostics.map(({ category, location }) => ({
    file: location.path,
    line: location.start.line,
    rule: category,
  }))
}

function biome(args: string[], cwd: string): Promise<string> {
  const command = join(repoRoot, 'node_modules/.bin/biome')
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: 64 * 2 ** 20 }, (_error, stdout, stderr) => {
      if (stdout === '') reject(new Error(`biome did not run: ${stderr}`))
      else resolve(stdout)
    })
  })
}
