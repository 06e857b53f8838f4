/**
 * Checks with recheck that no regular expression backtracks catastrophically, because untrusted bodies must not block the
 * process. By default it checks the files in packages/*\/src that differ from main. `--all` checks every file and takes
 * minutes.
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
  readonly location: string
}

/** Patterns that are only known at run time, by file and code, and why they contain no untrusted text. */
const dynamicPatterns: Readonly<Record<string, string>> = {
  'packages/server/src/testing/contract/check-answer.ts new RegExp(pattern)': 'The contract states the pattern.',
  "packages/intake/src/paths/paths.ts new RegExp(alternative.slice(sign + 1), 'i')":
    'It is in a table that `collectFromTable` reads.',
  'packages/contract/src/match-routes.ts new RegExp(`^${source}$`)':
    'The path comes from the contract. Its parameters become [^/]+ and \\d+, each followed by a slash.',
}

const root = fileURLToPath(new URL('..', import.meta.url))
const isFull = process.argv.includes('--all')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The branch point from main, or the previous commit on main. Undefined in a shallow clone. */
function findBase(): string | undefined {
  for (const ref of ['origin/main', 'main', 'HEAD~']) {
    try {
      const base = git('merge-base', 'HEAD', ref)
      if (base !== git('rev-parse', 'HEAD')) return base
    } catch {
      // This clone lacks the ref.
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
const problems: string[] = []

/** Uses the TypeScript parser, because a slash can also be a division. */
function collect(path: string): void {
  const file = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, false)
  const constants = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const value = textOf(node.initializer, constants)
      if (value !== undefined) constants.set(node.name.text, value)
    }
    const location = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    const found = expressionIn(node, constants)
    if (found !== undefined && found !== 'dynamic')
      literals.set(`/${found.source}/${found.flags}`, { ...found, location })
    else if (found === 'dynamic' && dynamicPatterns[`${path} ${node.getText(file)}`] === undefined)
      problems.push(
        `${location}: ${node.getText(file)} is only known at run time. Explain in ${import.meta.filename} why it is safe.`,
      )
    ts.forEachChild(node, visit)
  }
  visit(file)
}

/** In tables, an expression follows a tilde: `path~expression`. */
function collectFromTable(path: string): void {
  JSON.parse(readFileSync(join(root, path), 'utf8'), (_key, value: unknown) => {
    for (const alternative of typeof value === 'string' ? value.split(/ [|&] /) : []) {
      const tilde = alternative.indexOf('~')
      const source = alternative.slice(tilde + 1)
      if (tilde > 0) literals.set(`/${source}/i`, { source, flags: 'i', location: path })
    }
    return value
  })
}

type Constants = ReadonlyMap<string, string>

function expressionIn(node: ts.Node, constants: Constants): Omit<FoundExpression, 'location'> | 'dynamic' | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) }
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
  if (!isCall || !ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined
  const [pattern, flagsArgument] = node.arguments ?? []
  const source = textOf(pattern, constants)
  const flags = flagsArgument === undefined ? '' : textOf(flagsArgument, constants)
  return source === undefined || flags === undefined ? 'dynamic' : { source, flags }
}

/** The value of a literal, or of a template with constants declared above it. */
function textOf(node: ts.Node | undefined, constants: Constants): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return constants.get(node.text)
  if (!ts.isTemplateExpression(node)) return undefined
  const parts = node.templateSpans.map(({ expression, literal }) => [textOf(expression, constants), literal.text])
  return parts.some(([value]) => value === undefined) ? undefined : node.head.text + parts.flat().join('')
}

/** Removes the bounds of repetitions. The automaton treats bounded repetitions as safe, even if they backtrack a lot. */
const withoutBounds = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\{(\d+),(\d+)\}/g, (part, min?: string, max?: string) => {
    if (min === undefined || Number(max) < 5) return part
    return min === '0' ? '*' : '+'
  })

/** Runs the analyses in parallel. recheck starts a process for each. */
async function analyze(): Promise<void> {
  // The Java backend needs Java, and the JavaScript backend is ten times slower.
  process.env['RECHECK_BACKEND'] = 'native'
  const { check } = await import('recheck')
  const pending = [...literals]
  const work = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const [literal, { source, flags, location }] = next
      const bounded = await check(source, flags, { checker: 'automaton', timeout: 60_000 })
      const unbounded = await check(withoutBounds(source), flags, {
        checker: 'automaton',
        timeout: isFull ? 20_000 : 2_000,
      })
      const isExponential = unbounded.status === 'vulnerable' && unbounded.complexity.type === 'exponential'
      const result = isExponential ? unbounded : bounded
      if (result.status === 'vulnerable')
        problems.push(`${location}: ${literal} is vulnerable, ${result.complexity.summary}. Rewrite it.`)
      if (result.status === 'unknown') problems.push(`${location}: ${literal} could not be analyzed. Rewrite it.`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
}

const files = listFiles()
for (const path of files) {
  if (path.endsWith('.json')) collectFromTable(path)
  else collect(path)
}
await analyze()
for (const problem of problems) console.error(problem)
console.log(`${literals.size} regular expressions in ${files.length} files checked`)
process.exitCode = problems.length === 0 ? 0 : 1
