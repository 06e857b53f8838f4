import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../.data', import.meta.url))

/** A folder that goes away with its scope. In the repository, because /tmp may be memory, where a sync costs nothing. */
export function temporaryFolder(): Disposable & { path(name: string): string } {
  mkdirSync(home, { recursive: true })
  const folder = mkdtempSync(join(home, 'run-'))
  return {
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
