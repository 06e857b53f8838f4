// Writes the published types of administration. The sources derive them from the contract's routes (`src/admin/admin.ts`).
// The written types are equal, include the documentation of the contract, and do not load zod in editors.
import { fileURLToPath } from 'node:url'
import { adminRoutes } from '@service/contract/admin'
import { adminDocs } from '@service/contract/docs/admin'
import type { RouteDocs } from '@service/contract/route-docs'
import ts from 'typescript'

interface Exported {
  readonly name: string
  readonly symbol: ts.Symbol
}

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const entries = { admin: at('src/admin.ts'), client: at('src/index.ts'), contract: at('../contract/src/index.ts') }
const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at(''))
const program = ts.createProgram(Object.values(entries), options)
const checker = program.getTypeChecker()

function exportsOf(file: string): Exported[] {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} has no exports.`)
  return checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return { name: symbol.name, symbol: isAlias ? checker.getAliasedSymbol(symbol) : symbol }
  })
}
const isType = ({ symbol }: Exported) => (symbol.flags & ts.SymbolFlags.Type) !== 0
const isIn = (folder: string) => (each: Exported) =>
  each.symbol.declarations?.[0]?.getSourceFile().fileName.includes(folder) === true

const exported = exportsOf(entries.admin)
const own = exported.filter(isIn('/client/src/admin/'))
const shared = exported.filter((each) => isIn('/client/src/')(each) && !own.includes(each))
const fromContract = exported.filter((each) => isIn('/contract/src/')(each) && isType(each))
// Types of the API, such as tickets, are already written by hand. A test compares them with the contract.
const inClient = new Set(exportsOf(entries.client).map(({ name }) => name))
const ofApi = exportsOf(entries.contract).filter((each) => isType(each) && inClient.has(each.name))

/** Named types. TypeScript creates a new type for each alias of a union, so unions are identified by their text. */
const names = new Map<ts.Type | string, string>()
const named = [
  ...fromContract,
  ...ofApi,
  ...shared.filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Interface),
].map(({ name, symbol }) => ({
  name,
  type: checker.getDeclaredTypeOfSymbol(symbol),
}))
for (const { name, type } of named) if (type.flags & ts.TypeFlags.Object) names.set(type, name)
for (const { name, type } of named) if (type.isUnion()) names.set(spellUnion(type), name)

function print(type: ts.Type): string {
  if (!type.isUnion() || type.flags & ts.TypeFlags.Boolean) return names.get(type) ?? spell(type)
  const nothing = type.types.filter(({ flags }) => flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
  const something = checker.getNonNullableType(type)
  const text = something.isUnion() ? spellUnion(something) : print(something)
  return [names.get(text) ?? text, ...nothing.map(inWords)].join(' | ')
}

function inWords(type: ts.Type): string {
  return checker.typeToString(type, program.getSourceFile(entries.admin), ts.TypeFormatFlags.NoTruncation)
}

function spellUnion(type: ts.UnionType): string {
  const texts = type.types.map((each) => (each.flags & ts.TypeFlags.BooleanLiteral ? 'boolean' : print(each)))
  return [...new Set(texts)].toSorted().join(' | ')
}

function spell(type: ts.Type): string {
  if (type.isIntersection()) return `(${inWords(type)})`
  if (!(type.flags & ts.TypeFlags.Object)) return inWords(type)
  const given = checker.getTypeArguments(type as ts.TypeReference).map(print) // none where it is no reference
  if (checker.isTupleType(type)) return `[${given.join(', ')}]`
  if (checker.isArrayType(type)) return `${given[0]?.includes('|') ? `(${given[0]})` : given[0]}[]`
  const generic = [...shared, ...own].find(({ symbol }) => symbol === type.symbol)
  if (generic !== undefined) return `${generic.name}<${given.join(', ')}>`
  const fields = checker.getPropertiesOfType(type)
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String)
  // A lenient response may have fields that the contract does not know. They are not part of the type.
  if (fields.length === 0) return index === undefined ? '{}' : `Record<string, ${print(index)}>`
  return block(fields.map((field) => `${docOf(field)}${field.name}${typeOf(field)}`))
}

function typeOf(field: ts.Symbol): string {
  return `${field.flags & ts.SymbolFlags.Optional ? '?' : ''}: ${print(checker.getTypeOfSymbol(field))}`
}

function block(members: readonly string[]): string {
  return `{\n${members.join('\n')}\n}`
}

function docOf(each: ts.Symbol): string {
  return comment(ts.displayPartsToString(each.getDocumentationComment(checker)))
}

function comment(text: string): string {
  return text === '' ? '' : `/**\n * ${text.replaceAll('\n', '\n * ')}\n */\n`
}

const docs: Readonly<Record<string, RouteDocs>> = adminDocs

function methodText(operation: string, verb: ts.Symbol): string {
  const [signature] = checker.getTypeOfSymbol(verb).getCallSignatures()
  const [rest] = signature?.parameters ?? []
  if (signature === undefined || rest === undefined) throw new Error(`${operation} is not a method.`)
  const given = checker.getTypeOfSymbol(rest) as ts.TupleTypeReference // `MethodOf` takes a tuple
  const parameters = checker.getTypeArguments(given).map((type, position) => {
    const name = given.target.labeledElementDeclarations?.[position]?.name.getText()
    const isOptional = ((given.target.elementFlags[position] ?? 0) & ts.ElementFlags.Optional) !== 0
    return `${name}${isOptional ? '?' : ''}: ${print(isOptional ? checker.getNonNullableType(type) : type)}`
  })
  const { summary = '', description } = docs[operation] ?? {}
  const doc = comment([`${summary}.`, description].filter(Boolean).join('\n\n'))
  return `${doc}${verb.name}(${parameters.join(', ')}): ${print(signature.getReturnType())}`
}

/** In the order of the routes. */
function adminText({ symbol }: Exported): string {
  const admin = checker.getDeclaredTypeOfSymbol(symbol)
  const resources = [...new Set(adminRoutes.map(({ operation }) => operation.replace(/\..*/, '')))].map((name) => {
    const resource = checker.getPropertyOfType(admin, name)
    const type = resource && checker.getTypeOfSymbol(resource)
    const operations = adminRoutes.map(({ operation }) => operation).filter((each) => each.startsWith(`${name}.`))
    const methods = operations.flatMap((operation) => {
      const verb = type && checker.getPropertyOfType(type, operation.slice(name.length + 1))
      return verb === undefined ? [] : methodText(operation, verb)
    })
    return `readonly ${name}: ${block(methods)}`
  })
  return `${docOf(symbol)}export interface Admin ${block(resources)}`
}

function declarationOf(each: Exported): string {
  const { name, symbol } = each
  if (name === 'Admin') return adminText(each)
  const declaration = symbol.declarations?.[0]
  if (symbol.flags & ts.SymbolFlags.TypeAlias) {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    if (type.isUnion()) return `${docOf(symbol)}export type ${name} = ${spellUnion(type)}`
    return `${docOf(symbol)}export interface ${name} ${spell(type)}`
  }
  const text = declaration?.getFullText().trim() ?? ''
  if (declaration === undefined || !ts.isFunctionDeclaration(declaration)) return text
  return text.replace(declaration.body?.getText() ?? '', '').replace('export function', 'export declare function')
}

/** The text of `admin.d.ts`, which takes what it shares with the client of the API from `index`. */
export function adminTypes(index: string): string {
  const text = [...own, ...fromContract].map(declarationOf).join('\n\n')
  const others = [...ofApi, ...shared].map(({ name }) => name)
  const declared = new Set(fromContract.map(({ name }) => name))
  const used = others.filter((name) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(text))
  const whole = `import type { ${used.join(', ')} } from '${index}'
export { ${shared.map(({ name }) => name).join(', ')} } from '${index}'
${text}`
  return ts.createPrinter().printFile(ts.createSourceFile('admin.d.ts', whole, ts.ScriptTarget.Latest, true))
}
