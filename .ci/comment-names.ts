/**
 * Reports camelCase names in comments, with or without backticks, that occur nowhere in the code. The comments of the intake
 * package quote the fields of other software.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Words that name nothing in this repository. */
const foreign = ['camelCase', 'macOS', 'nodeRedis', 'webpackIgnore', 'AccessControllerEvent', 'TicketCreatedEvent']
const known = new Set(foreign)
const comments: { readonly place: string; readonly text: string }[] = []

/** Collects the comments of a source, and returns its code. */
function readSource(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const ranges = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return
    const found = [ts.getLeadingCommentRanges(text, node.pos), ts.getTrailingCommentRanges(text, node.end)]
    for (const range of found.flat()) if (range !== undefined) ranges.set(range.pos, range)
    for (const child of node.getChildren(source)) visit(child)
  }
  visit(source)
  return [...ranges.values()].reduce((code, { pos, end }) => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(pos).line + 1}`
    if (!file.startsWith('packages/intake/')) comments.push({ place, text: text.slice(pos, end) })
    return code.slice(0, pos) + ' '.repeat(end - pos) + code.slice(end)
  }, text)
}

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.json'], { encoding: 'utf8' })
for (const file of files.trim().split('\n')) {
  const text = readFileSync(file, 'utf8')
  for (const word of (file.endsWith('.json') ? text : readSource(file, text)).match(/\w+/g) ?? []) known.add(word)
}
// A suppression names a rule of the linter.
for (const { place, text } of comments.filter(({ text }) => !text.includes('biome-ignore')))
  for (const name of text.match(/\b[a-z]+[A-Z]\w*|(?<=`)[A-Z][a-z]+[A-Z]\w*/g) ?? [])
    if (!known.has(name)) throw new Error(`${place}: The comment names ${name}, which does not exist.`)
