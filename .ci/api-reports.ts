/**
 * Reports the public types of each published package in `packages/<name>/api.md`, so that changes show up in review. The
 * report contains the built types without comments. `--write` updates the reports. Without it, an outdated report fails,
 * and so does a deprecation without a version and a replacement.
 *
 * API Extractor does not support the server's types (`Disposable`, `Buffer`) and needs a configuration for each entry.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { deprecationsIn, isCompleteDeprecation } from './deprecations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const printer = ts.createPrinter({ removeComments: true })

/** The declaration file of each entry. Where CommonJS declarations exist, the ES module only re-exports them. */
function entriesOf(folder: string): readonly (readonly [entry: string, file: string])[] {
  const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | { types?: string; require?: { types: string } }>
  } // publint checked this manifest
  return Object.entries(exports).flatMap(([path, target]) => {
    // The types of administration are generated from the contract's routes, whose diff already shows each change.
    if (path === './admin') return []
    const types = typeof target === 'string' ? undefined : (target.require?.types ?? target.types)
    return types === undefined ? [] : [[`${name}${path.slice(1)}`, join(folder, types)] as const]
  })
}

function reportOf(folder: string): string {
  const entries = entriesOf(folder)
  const program = ts.createProgram({
    rootNames: entries.map(([, file]) => file),
    options: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, strict: true, types: ['node'] },
  })
  const checker = program.getTypeChecker()
  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declared = new Map<ts.Node, string>()

  /** The declarations of a symbol in this package, and of every name in them that is not exported itself. */
  function collect(symbol: ts.Symbol): void {
    for (const declaration of resolve(symbol).declarations ?? []) {
      const statement = ts.findAncestor(
        declaration,
        (node) => node.parent !== undefined && ts.isSourceFile(node.parent),
      )
      if (statement === undefined || declared.has(statement)) continue
      const file = statement.getSourceFile()
      if (!file.fileName.startsWith(join(folder, 'dist')) || ts.isExportDeclaration(statement)) continue
      declared.set(statement, textOf(statement, file))
      visit(statement)
    }
  }
  function visit(node: ts.Node): void {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
    if (symbol !== undefined) collect(symbol)
    ts.forEachChild(node, visit)
  }

  const lists = entries.map(([entry, file]) => {
    const source = program.getSourceFile(file)
    const symbol = source && checker.getSymbolAtLocation(source)
    if (symbol === undefined) throw new Error(`${relative(root, file)} has no exports. Build the packages first.`)
    const exported = checker.getExportsOfModule(symbol)
    for (const exportedSymbol of exported) collect(exportedSymbol)
    return `## ${entry}\n\n${exported
      .map(({ name }) => `- \`${name}\``)
      .toSorted()
      .join('\n')}`
  })
  const texts = [...new Set(declared.values())].toSorted((a, b) => (withoutNotes(a) < withoutNotes(b) ? -1 : 1))
  const head = `<!-- Generated from the built types by \`npx pnpm@12 api:write\`. A change here is a change for users. -->`
  return `${[head, ...lists, '## Declarations', `\`\`\`ts\n${texts.join('\n\n')}\n\`\`\``].join('\n\n')}\n`
}

/** Removes comments, except for deprecations, which a reviewer needs to see. */
function textOf(statement: ts.Node, file: ts.SourceFile): string {
  const text = printer.printNode(ts.EmitHint.Unspecified, statement, file).replace(/^(?:export )?(?:declare )?/, '')
  const notes = deprecationsIn(statement.getFullText(file))
  return [...notes.map((note) => `// @deprecated ${note}`), text].join('\n')
}

const withoutNotes = (text: string) => text.replace(/^(?:\/\/.*\n)+/, '')

function builtTypes(folder: string): string[] {
  const dist = join(folder, 'dist')
  const files = readdirSync(dist).filter((file) => /\.d\.c?ts$/.test(file))
  return files.map((file) => readFileSync(join(dist, file), 'utf8'))
}

function showDifference(report: string, file: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'api-'))
  writeFileSync(join(folder, 'api.md'), report)
  const before = existsSync(file) ? file : '/dev/null'
  spawnSync('git', ['--no-pager', 'diff', '--no-index', before, join(folder, 'api.md')], { stdio: 'inherit' })
  rmSync(folder, { recursive: true })
}

for (const name of ['client', 'webhooks', 'server']) {
  const folder = join(root, 'packages', name)
  const file = join(folder, 'api.md')
  const report = reportOf(folder)
  for (const note of builtTypes(folder)
    .flatMap(deprecationsIn)
    .filter((note) => !isCompleteDeprecation(note))) {
    console.error(`@service/${name}: "@deprecated ${note}" must start like this: "Since 1.4: use \`theReplacement\`".`)
    process.exitCode = 1
  }
  if (process.argv.includes('--write')) writeFileSync(file, report)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== report) {
    showDifference(report, file)
    console.error(`${relative(root, file)} is outdated. Run \`npx --yes pnpm@12 api:write\` and commit it.`)
    process.exitCode = 1
  }
}
