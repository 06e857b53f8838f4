import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repoRoot = fileURLToPath(new URL('../../', import.meta.url))

/** Reads a file by its path from the root of the repository. */
export const readRepoFile = (path: string) => readFileSync(join(repoRoot, path), 'utf8')

const generated = new Set(['node_modules', 'dist', 'coverage', '.data', '.git'])

/** Lists all files in a folder of the repository, except generated ones, as paths from its root. */
export function listFiles(folder: string): string[] {
  if (!existsSync(join(repoRoot, folder))) return []
  return readdirSync(join(repoRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : listFiles(path)
    return [path]
  })
}

/** Lists the TypeScript sources of all packages, without tests. */
export const listSources = () =>
  listFiles('packages').filter((path) => /^packages\/\w+\/src\/.*\.tsx?$/.test(path) && !path.includes('.test'))
