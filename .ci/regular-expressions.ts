/**
 * Checks with recheck that the time of a regular expression grows with the length of its text: a body sent by a stranger
 * must not block the process. By default it checks the files below packages/*\/src that differ from main; `--all` checks
 * every file and takes minutes.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

interface FoundExpression {
  readonly source: string
  readonly flags: string
  /** `packages/…/file.ts:12`. */
  readonly place: string
}

/** Patterns that are only known at run time, by file and code, and why they hold no foreign text. */
const harmless: Readonly<Record<string, string>> = {
  'packages/server/src/testing/contract/check-answer.ts new RegExp(pattern)': 'The contract states the pattern.',
  "packages/intake/src/paths/paths.ts new RegExp(alternative.slice(sign + 1), 'i')":
    'It stands in a table, where `collectFromTable` finds it.',
  'packages/contract/src/match-routes.ts new RegExp(`^${source}$`)':
    "The path is one of the contract's; its parameters become [^/]+ and \\d+, each ended by a slash.",
}

const root = fileURLToPath(new URL('..', import.meta.url))
const isFull = process.argv.includes('--all')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Where the change began: the branch point from main, or on main itself the commit before; undefined in a shallow clone. */
function findBase(): string | undefined {
  for (const ref of ['origin/main', 'main', 'HEAD~']) {
    try {
      const base = git('merge-base', 'HEAD', ref)
      if (base !== git('rev-parse', 'HEAD')) return base
    } catch {
      // The ref does not exist in this clone.
    }
  }
  return undefined
}

function listFiles(): string[] {
  const base = isFull ? undefined : findBase()
  const changed = base === undefined ? git('ls-files', 'packages') : git('diff', '--name-only', base, '--', 'packages')
  return changed
    .split('\n')
    .filter((path) => /^packages\/\w+\/src\/.*(?:\.tsx?|\/table\.json)$/.test(path) && !path.includes('.test.'))
    .filter((path) => existsSync(join(root, path)))
}

const literals = new Map<string, FoundExpression>()
const complaints: string[] = []

/** TypeScript parses the file, because a slash is a division or the start of an expression depending on what precedes it. */
function collect(path: string): void {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, false)
  const constants = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const value = textOf(node.initializer, constants)
      if (value !== undefined) constants.set(node.name.text, value)
    }
    const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    const found = expressionIn(node, constants)
    if (found !== undefined && found !== 'dynamic') literals.set(`/${found.source}/${found.flags}`, { ...found, place })
    else if (found === 'dynamic' && harmless[`${path} ${node.getText(file)}`] === undefined)
      complaints.push(
        `${place}: ${node.getText(file)} is only known at run time. State in ${import.meta.filename} why it is harmless.`,
      )
    ts.forEachChild(node, visit)
  }
  visit(file)
}

/** In tables an expression stands behind a tilde: `path~expression`. */
function collectFromTable(path: string): void {
  JSON.parse(readFileSync(join(root, path), 'utf8'), (_key, value: unknown) => {
    for (const alternative of typeof value === 'string' ? value.split(/ [|&] /) : []) {
      const sign = alternative.indexOf('~')
      const source = alternative.slice(sign + 1)
      if (sign > 0) literals.set(`/${source}/i`, { source, flags: 'i', place: path })
    }
    return value
  })
}

type Constants = ReadonlyMap<string, string>

function expressionIn(node: ts.Node, constants: Constants): Omit<FoundExpression, 'place'> | 'dynamic' | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  if (!isCall || !ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined
  const [pattern, given] = node.arguments ?? []
  const source = textOf(pattern, constants)
  const flags = given === undefined ? '' : textOf(given, constants)
  return source === undefined || flags === undefined ? 'dynamic' : { source, flags }
}

/** A text that is known without running the program: a literal, or a template of constants declared above it. */
function textOf(node: ts.Node | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return constants.get(node.text)
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => [textOf(expression, constants), literal.text])
  return parts.some(([value]) => value === undefined) ? undefined : node.head.text + parts.flat().join('')
}

/** To an automaton every bounded repetition is finite, and so safe. Without bounds it shows whether it tries every split. */
const withoutBounds = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+),(\d+)\}/g, (part, least?: string, most?: string) => {
    if (least === undefined || Number(most) < 5) return part
    return least === '0' ? '*' : '+'
  })

/** Each analysis runs in its own process, so they run side by side. */
async function judge(): Promise<void> {
  // Java is on few machines, and the JavaScript backend takes ten times as long.
  process.env['RECHECK_BACKEND'] = 'native'
  const { check } = await import('recheck')
  const waiting = [...literals]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [literal, { source, flags, place }] = next
      const asWritten = await check(source, flags, { checker: 'automaton', timeout: 60_000 })
      const unbounded = await check(withoutBounds(source), flags, {
        checker: 'automaton',
        timeout: isFull ? 20_000 : 2_000,
      })
      const isExponential = unbounded.status === 'vulnerable' && unbounded.complexity.type === 'exponential'
      const result = isExponential ? unbounded : asWritten
      if (result.status === 'vulnerable')
        complaints.push(`${place}: ${literal} is vulnerable, ${result.complexity.summary}. Rewrite it.`)
      if (result.status === 'unknown') complaints.push(`${place}: ${literal} could not be decided. Rewrite it.`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

const files = listFiles()
for (const path of files) {
  if (path.endsWith('.json')) collectFromTable(path)
  else collect(path)
}
await judge()
for (const complaint of complaints) console.error(complaint)
console.log(`${literals.size} regular expressions in ${files.length} files checked`)
process.exitCode = complaints.length === 0 ? 0 : 1
