import { levelIn, type PrintedLine } from './line.ts'

const maxPairs = 40
const pair = /([A-Za-z_][\w.@-]{0,60})=("(?:[^"\\]|\\.){0,2000}"|[^\s"]{0,500})(?:\s|$)/y

/** `level=error msg="no cart" caller=cart.go:12`, if the whole line is logfmt. */
const parsePairs = (text: string): ReadonlyMap<string, string> => {
  const pairs = new Map<string, string>()
  pair.lastIndex = 0
  while (pairs.size < maxPairs) {
    const [, key, value] = pair.exec(text) ?? []
    if (key === undefined || value === undefined) break
    pairs.set(key, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)
  }
  return pairs
}

const first = (pairs: ReadonlyMap<string, string>, names: readonly string[]): string | undefined =>
  names.map((name) => pairs.get(name)).find((value) => value !== undefined)

export const readLogfmt = (text: string): PrintedLine | null => {
  if (!/^[A-Za-z_]\w{0,30}=/.test(text)) return null
  const pairs = parsePairs(text)
  const severity = levelIn(first(pairs, ['level', 'lvl', 'severity', 'at']) ?? '')
  const message = first(pairs, ['msg', 'message', 'error', 'err', 'desc'])
  if (message === undefined || severity === null) return null
  const [file = null, line = null] = (pairs.get('caller') ?? '').split(':')
  return { message, severity, file: line === null ? null : file, line }
}
