import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A regular expression as it stands in a source. */
export interface FoundExpression {
  readonly source: string
  readonly flags: string
  /** `packages/…/file.ts:12`. */
  readonly place: string
}

export interface Findings {
  readonly literals: readonly FoundExpression[]
  /** Places of `new RegExp(…)` and `RegExp(…)` whose pattern is only known when it runs, with their text. */
  readonly dynamic: readonly { readonly place: string; readonly text: string }[]
}

/** Every regular expression below the `src` of every package; what only tests use is left out. */
export function findExpressions(root: string): Findings {
  const sources = readdirSync(join(root, 'packages')).flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
      .map((path) => join('packages', name, 'src', path)),
  )
  const found = sources.sort().map((path) => findIn(path, readFileSync(join(root, path), 'utf8')))
  return { literals: found.flatMap(({ literals }) => literals), dynamic: found.flatMap(({ dynamic }) => dynamic) }
}

/** The parser of TypeScript, since a slash is division or the start of an expression by what stands before it. */
export function findIn(path: string, text: string): Findings {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  const constants = new Map<string, string>()
  const literals: FoundExpression[] = []
  const dynamic: { place: string; text: string }[] = []
  const visit = (node: ts.Node): void => {
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    noteConstant(node, constants)
    const found = expressionIn(node, constants)
    if (found === 'dynamic') dynamic.push({ place, text: node.getText(file) })
    else if (found !== undefined) literals.push({ ...found, place })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { literals, dynamic }
}

function noteConstant(node: ts.Node, constants: Map<string, string>): void {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return
  const value = textOf(node.initializer, constants)
  if (value !== undefined) constants.set(node.name.text, value)
}

type Expression = Pick<FoundExpression, 'source' | 'flags'>

function expressionIn(node: ts.Node, constants: ReadonlyMap<string, string>): Expression | 'dynamic' | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  if (!isRegExpCall(node)) return undefined
  const [pattern, given] = node.arguments ?? []
  const source = textOf(pattern, constants)
  const flags = given === undefined ? '' : textOf(given, constants)
  return source === undefined || flags === undefined ? 'dynamic' : { source, flags }
}

/** A text that is known without running the program: a literal, or a template of constants that stand above it. */
function textOf(node: ts.Node | undefined, constants: ReadonlyMap<string, string>): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return constants.get(node.text)
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => [textOf(expression, constants), literal.text])
  return parts.some(([value]) => value === undefined) ? undefined : node.head.text + parts.flat().join('')
}

const isRegExpCall = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp'
