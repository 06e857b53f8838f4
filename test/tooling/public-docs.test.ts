import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { listSources, readRepoFile } from './repo.ts'

const entries = [
  'packages/server/src/index.ts',
  ...listSources().filter((path) => path.startsWith('packages/server/src/testing/entries/')),
]

const parse = (path: string) => ts.createSourceFile(path, readRepoFile(path), ts.ScriptTarget.Latest, true)

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true

/** The exported declarations of a file, with the nodes that have their documentation. */
function declarationsOf(source: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const found = source.statements.filter(isExported).flatMap((statement): [string, ts.Node][] => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => [name.getText(), statement])
    const isNamed =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isFunctionDeclaration(statement)
    return isNamed && statement.name !== undefined ? [[statement.name.text, statement]] : []
  })
  // The first overload of a function has the documentation.
  return new Map(found.reverse())
}

/** The exports of a file without documentation, including re-exports from other source files. */
function undocumented(path: string, only?: ReadonlySet<string>): string[] {
  const source = parse(path)
  const own = [...declarationsOf(source)]
    .filter(([name, node]) => (only?.has(name) ?? true) && ts.getJSDocCommentsAndTags(node).length === 0)
    .map(([name]) => `${path}: ${name}`)
  const reexported = source.statements.filter(ts.isExportDeclaration).flatMap(({ moduleSpecifier, exportClause }) => {
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return []
    if (!moduleSpecifier.text.startsWith('.')) return []
    const target = normalize(join(dirname(path), moduleSpecifier.text))
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return undocumented(target)
    const names = exportClause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
    return undocumented(target, new Set(names.filter((name) => only?.has(name) ?? true)))
  })
  return [...new Set([...own, ...reexported])]
}

/** Interfaces whose members users see on `server.` in their editor. */
const hovered: Readonly<Record<string, readonly string[]>> = {
  'server.ts': ['Server'],
  'testing/test-controls.ts': ['TestControls', 'TestServer'],
  'testing/state-control.ts': ['StateControl', 'States'],
  'testing/factories/factories.ts': ['Factories'],
  'testing/journal/journal.ts': ['RequestControls', 'Journal'],
}

it('documents every member of the test double', () => {
  const members = Object.entries(hovered).flatMap(([file, names]) =>
    parse(`packages/server/src/${file}`)
      .statements.filter(ts.isInterfaceDeclaration)
      .filter(({ name }) => names.includes(name.text))
      .flatMap(({ members }) => [...members])
      .filter((member) => member.name !== undefined && ts.isIdentifier(member.name)),
  )
  expect(members.length).toBeGreaterThan(30)
  const missing = members.filter((member) => ts.getJSDocCommentsAndTags(member).length === 0)
  expect(missing.map((member) => member.name?.getText())).toEqual([])
})

it('documents every export of the server and its testing entry points', () => {
  expect(entries.length).toBe(6)
  expect(entries.flatMap((path) => undocumented(path))).toEqual([])
})
