import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repoRoot = fileURLToPath(new URL('../../', import.meta.url))

/** The text of a file, by its path from the root of the repository. */
export const readRepoFile = (path: string) => readFileSync(join(repoRoot, path), 'utf8')

const generated = new Set(['node_modules', 'dist', 'coverage', '.data', '.git'])

/** Every file below a folder of the repository, as a path from its root; what tools generate is left out. */
export function listFiles(folder: string): string[] {
  if (!existsSync(join(repoRoot, folder))) return []
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : listFiles(path)
    return [path]
  })
}

/** What we write ourselves: TypeScript below the `src` of every package, tests apart. */
export const listSources = () =>
  listFiles('packages').filter((path) => /^packages\/\w+\/src\/.*\.tsx?$/.test(path) && !path.includes('.test'))
