import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { listSources, readRepoFile } from './repo.ts'

const packageOf = (path: string) => path.split('/')[1] ?? ''

/** Two files that a build exchanges for each other, each for its own runtime, declare the same names on purpose. */
const isRuntimeVariant = (path: string) => /\.(node|web)\.ts$/.test(path)

/** The exported types and classes of a file. A schema and its type share a name and a file, and so count once. */
function exportedTypes(path: string): string[] {
  const source = ts.createSourceFile(path, readRepoFile(path), ts.ScriptTarget.Latest)
  const names = source.statements.flatMap((statement) => {
    const isType =
      ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) || ts.isClassDeclaration(statement)
    const isExported = isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    return isExported && statement.name !== undefined ? [statement.name.text] : []
  })
  return [...new Set(names)]
}

/** The files of the repository that a file imports or exports from, types included. */
function importsOf(path: string, known: ReadonlySet<string>): string[] {
  const { importedFiles } = ts.preProcessFile(readRepoFile(path), true, true)
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => normalize(join(dirname(path), fileName)))
    .filter((target) => known.has(target))
}

/** What a file loads before it runs. */
const runtimeImportsOf = (path: string) =>
  ts
    .createSourceFile(path, readRepoFile(path), ts.ScriptTarget.Latest)
    .statements.filter(ts.isImportDeclaration)
    .filter(({ importClause }) => importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    .map(({ moduleSpecifier }) => (ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''))

/** Every file that a walk along the imports comes back to, with the way that it took. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const walk = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start !== -1) cycles.push([...way.slice(start), path].join(' → '))
    if (start !== -1 || finished.has(path)) return
    for (const target of graph.get(path) ?? []) walk(target, [...way, path])
    finished.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return cycles
}

describe('the structure', () => {
  it('gives every exported type and class of a package a name of its own', () => {
    const sources = listSources().filter((path) => !isRuntimeVariant(path))
    const places = new Map<string, string[]>()
    for (const path of sources) {
      for (const name of exportedTypes(path)) {
        const key = `${packageOf(path)}: ${name}`
        places.set(key, [...(places.get(key) ?? []), path])
      }
    }
    const shared = [...places].filter(([, paths]) => paths.length > 1)
    expect(places.size).toBeGreaterThan(100)
    expect(shared.map(([name, paths]) => `${name} in ${paths.join(' and ')}`)).toEqual([])
  })

  it('has no import cycles, imports of types included', () => {
    const sources = listSources()
    const known = new Set(sources)
    const graph = new Map(sources.map((path) => [path, importsOf(path, known)]))
    expect([...graph.values()].flat().length).toBeGreaterThan(sources.length)
    const cycles = findCycles(graph)
    expect(cycles).toEqual([])
  })

  it('keeps the test double out of production: what createServer loads, also later and for types, is none of it', () => {
    const sources = new Set(listSources())
    const reached = new Set<string>()
    const visit = (path: string) => {
      if (reached.has(path)) return
      reached.add(path)
      for (const target of importsOf(path, sources)) visit(target)
    }
    visit('packages/server/src/index.ts')
    expect(reached.size).toBeGreaterThan(200)
    expect([...reached].filter((path) => path.includes('/testing/'))).toEqual([])
  })

  it('loads the test double in the command line only when it is asked for', () => {
    const commands = listSources().filter((path) => path.startsWith('packages/server/src/cli/'))
    const early = commands.filter((path) => runtimeImportsOf(path).some((target) => target.includes('/testing/')))
    expect(commands.length).toBeGreaterThan(10)
    expect(early).toEqual([])
  })

  it('keeps folders at most three deep below src, and no file above 400 lines', () => {
    const sources = listSources()
    expect(sources.filter((path) => (path.split('/src/')[1]?.split('/') ?? []).length > 4)).toEqual([])
    expect(sources.filter((path) => readRepoFile(path).split('\n').length > 401)).toEqual([])
  })
})
