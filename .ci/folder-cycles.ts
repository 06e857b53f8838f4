// Folders have one direction, too: of two folders of the server that lie beside each other, at most one imports the other,
// directly or through further ones. Type imports count. Reads the imports as dependency-cruiser found them, as JSON.
import { text } from 'node:stream/consumers'

interface Cruise {
  readonly modules: readonly {
    readonly source: string
    readonly dependencies: readonly { readonly resolved: string }[]
  }[]
}

const base = 'packages/server/src/'
/** A table file describes a part of the database's schema, on which the store is built, beside the code that uses it. */
const isTable = (path: string) => path.endsWith('/table.ts')
const isChecked = (path: string) => path.startsWith(base) && !isTable(path)

/** The imports between neighboring folders: for `modules/a/x.ts` → `modules/b/y.ts`, from `modules/a` to `modules/b`. */
const imports = new Map<string, Map<string, string>>()
const { modules } = JSON.parse(await text(process.stdin)) as Cruise // the format of dependency-cruiser
for (const { source, dependencies } of modules.filter(({ source }) => isChecked(source)))
  for (const { resolved } of dependencies.filter(({ resolved }) => isChecked(resolved))) {
    const [from, to] = [source.split('/'), resolved.split('/')]
    const depth = from.findIndex((name, index) => name !== to[index]) + 1
    if (depth >= from.length || depth >= to.length) continue
    const [folder, imported] = [from.slice(0, depth).join('/'), to.slice(0, depth).join('/')]
    const ofFolder = imports.get(folder) ?? new Map<string, string>()
    imports.set(folder, ofFolder.set(imported, `${source} → ${resolved}`))
  }

/** The imports that lead from a folder back to it. */
function findCycle(start: string, folder = start, seen = new Set<string>()): string[] | undefined {
  for (const [imported, example] of imports.get(folder) ?? []) {
    if (imported === start) return [example]
    if (seen.has(imported)) continue
    const rest = findCycle(start, imported, seen.add(imported))
    if (rest !== undefined) return [example, ...rest]
  }
  return undefined
}

const cycles = [...imports.keys()].flatMap((folder) => {
  const cycle = findCycle(folder)
  return cycle === undefined ? [] : [`${folder} imports itself:\n  ${cycle.join('\n  ')}`]
})
if (cycles.length > 0) {
  console.error(cycles.join('\n'))
  process.exitCode = 1
}
