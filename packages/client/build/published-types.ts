// Writes the types of both clients for publication. The sources derive them from the contract's routes
// (`src/methods.ts`). The written types are equal, include the documentation of the contract, and do not load zod in
// editors.
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { apiRoutes } from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { apiDocs } from '@service/contract/docs'
import { adminDocs } from '@service/contract/docs/admin'
import { describeResource } from '@service/contract/docs/tags'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import type { Route } from '@service/contract/route'
import type { RouteDocs } from '@service/contract/route-docs'
import ts from 'typescript'

const folder = fileURLToPath(new URL('..', import.meta.url))
const files = {
  api: `${folder}src/api-types.ts`,
  admin: `${folder}src/admin/admin-types.ts`,
  calls: [`${folder}src/call.ts`, `${folder}src/call-options.ts`, `${folder}src/admin/list-call.ts`],
}
const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
const program = ts.createProgram([files.api, files.admin, ...files.calls], options)
const checker = program.getTypeChecker()

interface Exported {
  readonly name: string
  /** The file that exports it to the declarations. */
  readonly file: string
  readonly symbol: ts.Symbol
}

function exportsOf(file: string): Exported[] {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} has no exports.`)
  return checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
    return { name: symbol.name, file, symbol: isAlias ? checker.getAliasedSymbol(symbol) : symbol }
  })
}

const isType = ({ symbol }: Exported) => (symbol.flags & ts.SymbolFlags.Type) !== 0
const isMethods = ({ name }: Exported) => name === 'Api' || name === 'Admin'

const calls = files.calls.flatMap(exportsOf).filter(({ symbol }) => symbol.flags & ts.SymbolFlags.Interface)
const ofApi = exportsOf(files.api).filter(isType)
const ofAdmin = exportsOf(files.admin).filter(isType)

/** Named types. TypeScript creates a new type for each alias of a union, so unions are identified by their text. */
const names = new Map<ts.Type | string, string>()
const named = [...ofAdmin, ...ofApi, ...calls]
  .filter((each) => !isMethods(each))
  .map(({ name, symbol }) => ({ name, type: checker.getDeclaredTypeOfSymbol(symbol) }))
for (const { name, type } of named) if (type.flags & ts.TypeFlags.Object) names.set(type, name)
for (const { name, type } of named) if (type.isUnion()) names.set(spellUnion(type), name)

function print(type: ts.Type): string {
  if (!type.isUnion() || type.flags & ts.TypeFlags.Boolean) return names.get(type) ?? spell(type)
  const nothing = type.types.filter(({ flags }) => flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined))
  const something = checker.getNonNullableType(type)
  const text = something.isUnion() ? spellUnion(something) : print(something)
  return [names.get(text) ?? text, ...nothing.map(inWords).toSorted()].join(' | ')
}

function inWords(type: ts.Type): string {
  return checker.typeToString(type, program.getSourceFile(files.admin), ts.TypeFormatFlags.NoTruncation)
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
  const generic = calls.find(({ symbol }) => symbol === type.symbol)
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

/** Without references to sections of the platform's document. */
function docOf(each: ts.Symbol): string {
  return comment(ts.displayPartsToString(each.getDocumentationComment(checker)).replaceAll(/ \(§[^)]*\)/g, ''))
}

function comment(text: string): string {
  return text === '' ? '' : `/**\n * ${text.replaceAll('\n', '\n * ')}\n */\n`
}

const routes: readonly Route[] = [...apiRoutes, ...adminRoutes]
const docs: Readonly<Record<Route['surface'], Readonly<Record<string, RouteDocs>>>> = {
  api: apiDocs,
  admin: adminDocs,
  inbound: {},
  test: {},
}

const errorClasses: Readonly<Record<number, string>> = {
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'ValidationError',
  429: 'RateLimitError',
}

/** Methods of the API also say what they require, show a call, and name their errors. */
function methodDoc(route: Route): string {
  const { summary, description, bodies = {} } = docs[route.surface][route.operation] ?? {}
  if (summary === undefined) throw new Error(`${route.operation} has no documentation.`)
  if (route.surface === 'admin') return [`${summary}.`, description].filter(Boolean).join('\n\n')
  const example = Object.values(bodies).slice(0, 1)
  const errors = route.errorStatuses.flatMap((status) => errorClasses[status] ?? [])
  if (route.body !== undefined) errors.unshift('InvalidRequestError (before sending)')
  return [
    `${summary}.\n\n${[description, `Requires \`${route.scope}\`.`].join(' ')}\n`,
    ...example.map(
      (body) => `@example\nawait client.${route.operation}(${[...idsOf(route), inWordsOf(body)].join(', ')})`,
    ),
    `@throws ServiceError, especially ${errors.join(', ')}.`,
  ].join('\n')
}

const inWordsOf = (body: unknown): string => inspect(body, { depth: null, breakLength: Number.POSITIVE_INFINITY })
const ownParams = ({ path }: Route) => paramNamesIn(path).filter((name) => name !== 'workspace')
const idsOf = (route: Route): string[] => ownParams(route).map((name) => inspect(pathParams[name].example))

function methodText(route: Route, method: ts.Symbol): string {
  const [signature] = checker.getTypeOfSymbol(method).getCallSignatures()
  const [rest] = signature?.parameters ?? []
  if (signature === undefined || rest === undefined) throw new Error(`${route.operation} is not a method.`)
  const given = checker.getTypeOfSymbol(rest) as ts.TupleTypeReference // `MethodOf` takes a tuple
  const labels = route.surface === 'admin' ? [] : ownParams(route)
  const parameters = checker.getTypeArguments(given).map((type, position) => {
    const name = labels[position] ?? given.target.labeledElementDeclarations?.[position]?.name.getText()
    const isOptional = ((given.target.elementFlags[position] ?? 0) & ts.ElementFlags.Optional) !== 0
    return `${name}${isOptional ? '?' : ''}: ${print(isOptional ? checker.getNonNullableType(type) : type)}`
  })
  const result = print(signature.getReturnType())
  return `${comment(methodDoc(route))}${method.name}(${parameters.join(', ')}): ${result}`
}

/** In the order of the routes. */
function methodsText(tree: ts.Type, below: readonly Route[], prefix = ''): string {
  const keys = [...new Set(below.map(({ operation }) => operation.slice(prefix.length).replace(/\..*/, '')))]
  return block(
    keys.map((key) => {
      const name = `${prefix}${key}`
      const member = checker.getPropertyOfType(tree, key)
      if (member === undefined) throw new Error(`There is no ${name}.`)
      const route = below.find(({ operation }) => operation === name)
      if (route !== undefined) return methodText(route, member)
      const inner = below.filter(({ operation }) => operation.startsWith(`${name}.`))
      const [{ surface } = { surface: 'api' as const }] = inner
      return `${comment(describeResource(surface, name))}readonly ${key}: ${methodsText(checker.getTypeOfSymbol(member), inner, `${name}.`)}`
    }),
  )
}

function declarationOf({ name, file, symbol }: Exported): string {
  const head = `${docOf(symbol)}export`
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  if (name === 'Api' || name === 'Admin') {
    const surface = file === files.api ? 'api' : 'admin'
    return `${head} interface ${name} ${methodsText(
      type,
      routes.filter((route) => route.surface === surface),
    )}`
  }
  const [declaration] = symbol.declarations ?? []
  const isGeneric =
    declaration !== undefined &&
    (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) &&
    declaration.typeParameters !== undefined
  if (isGeneric) return declaration.getFullText().trim()
  return type.isUnion() ? `${head} type ${name} = ${spellUnion(type)}` : `${head} interface ${name} ${spell(type)}`
}

/** The text for `src/api-types.ts` or `src/admin/admin-types.ts`. */
export function publishedTypes(surface: 'api' | 'admin'): string {
  const text = (surface === 'api' ? ofApi : ofAdmin).map(declarationOf).join('\n\n')
  const code = text.replaceAll(/\/\*\*.*?\*\//gs, '')
  const declared = new Set((surface === 'api' ? ofApi : ofAdmin).map(({ name }) => name))
  const used = [...calls, ...(surface === 'api' ? [] : ofApi)].filter(
    ({ name }) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(code),
  )
  const imports = Object.entries(Object.groupBy(used, ({ file }) => file)).map(([file, each = []]) => {
    const path = relative(dirname(files[surface]), file)
    const names = each.map(({ name }) => name).join(', ')
    return `import type { ${names} } from '${path.startsWith('.') ? path : `./${path}`}'`
  })
  const whole = [...imports, text].join('\n')
  return ts.createPrinter().printFile(ts.createSourceFile('types.ts', whole, ts.ScriptTarget.Latest, true))
}
