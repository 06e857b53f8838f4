// The grammar of the tables that describe formats. The input is untrusted JSON: every step may be missing.
//
//   a.b.0.c    keys and positions; `[]` is the first entry of a list in which the rest finds a value
//   tags.env   a list of names and values (`{name, value}`, `[name, value]`, `name:value`) is read like an object
//   a | b      the first that has a value
//   a~regex    the first group of the expression, else the whole match; case-insensitive
//   a:text     only a value of this type (`object`, `list`, `text`, `number`)
//   ^a         a path in the whole body rather than in the entry of a list
//   =text {a}  the text itself with its placeholders replaced, if each of them has a value
//
// Conditions test such paths: `a` has a value, `a:object`, `a~regex`, `!a`, joined by ` & `.

import { isRecord, type JsonRecord } from '../sanitize/json-path.ts'

export type Lookup = (entry: unknown, root?: unknown) => unknown
export type Condition = (entry: unknown, root?: unknown) => boolean

const maxEntries = 100
const maxTextLength = 2_000

export const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const nameKeys = ['key', 'name', 'Name', 'title', 'label', 'field'] as const
/** OpenTelemetry wraps a value in its type. */
const typedValues = ['stringValue', 'intValue', 'doubleValue', 'boolValue'] as const

const pairValue = (entry: JsonRecord): unknown => {
  const value = entry['value'] ?? entry['Value'] ?? entry['text']
  const type = isRecord(value) ? typedValues.find((name) => Object.hasOwn(value, name)) : undefined
  return type === undefined || !isRecord(value) ? value : value[type]
}

/** Reads one entry of a list of names and values. */
export const toPair = (entry: unknown): readonly [name: string, value: unknown] | null => {
  if (typeof entry === 'string') {
    const sign = entry.slice(0, maxEntries).search(/[:=]/)
    return sign < 1 ? null : [entry.slice(0, sign).trim(), entry.slice(sign + 1, maxTextLength).trim()]
  }
  if (Array.isArray(entry)) return entry.length === 2 && typeof entry[0] === 'string' ? [entry[0], entry[1]] : null
  if (!isRecord(entry)) return null
  const name = nameKeys.map((key) => entry[key]).find((key) => typeof key === 'string')
  return typeof name === 'string' ? [name, pairValue(entry)] : null
}

/** Also splits a string such as `env:production, team:shop`. */
export const toEntries = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return value.slice(0, 8_192).split(',', maxEntries)
  return Array.isArray(value) ? value.slice(0, maxEntries) : []
}

type Path = {
  readonly steps: readonly string[]
  /** The rest of the path from each step on, as one key, because keys may contain dots. */
  readonly rests: readonly string[]
}

const position = /^\d{1,4}$/

/** Follows one step into a value. Keys may contain dots: then the rest of the path is one key. */
const follow = (value: unknown, path: Path, index = 0): unknown => {
  const step = path.steps[index]
  if (step === undefined || value === undefined) return value
  if (isRecord(value)) {
    const rest = path.rests[index] ?? ''
    if (value[rest] !== undefined && Object.hasOwn(value, rest)) return value[rest]
    return rest !== step && Object.hasOwn(value, step) ? follow(value[step], path, index + 1) : undefined
  }
  if (Array.isArray(value) && position.test(step)) return follow(value[Number(step)], path, index + 1)
  return step === '[]' ? firstIn(value, path, index + 1) : pairIn(value, path, index)
}

const firstIn = (value: unknown, path: Path, from: number): unknown => {
  for (const entry of toEntries(value)) {
    const found = follow(entry, path, from)
    if (hasValue(found)) return found
  }
  return undefined
}

const pairIn = (value: unknown, path: Path, index: number): unknown => {
  const pairs = toEntries(value).map(toPair)
  const root = pairs.find((pair) => pair?.[0] === path.rests[index])
  if (root) return root[1]
  const found = pairs.find((pair) => pair?.[0] === path.steps[index])
  return found ? follow(found[1], path, index + 1) : undefined
}

const compilePath = (path: string): Lookup => {
  const steps = path.replace(/^\^/, '').replaceAll('[]', '.[]').split('.').filter(Boolean)
  const compiled = { steps, rests: steps.map((_, index) => steps.slice(index).join('.')) }
  return path.startsWith('^') ? (_, root) => follow(root, compiled) : (entry) => follow(entry, compiled)
}

const scalarText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, maxTextLength)
    : ''

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  list: Array.isArray,
  text: (value) => typeof value === 'string' && value.trim() !== '',
  number: (value) => typeof value === 'number',
}

/** `=no {a} for {b}` */
const compileTemplate = (template: string): Lookup => {
  const parts = template.split(/\{([^{}]{1,200})\}/)
  const lookups = parts.map((part, index): Lookup => (index % 2 === 0 ? () => part : compilePath(part)))
  return (entry, root) => {
    const values = lookups.map((lookup) => scalarText(lookup(entry, root)))
    return values.some((value, index) => index % 2 === 1 && value === '') ? undefined : values.join('')
  }
}

type Alternative = { readonly lookup: Lookup; readonly pattern?: RegExp; readonly type?: (value: unknown) => boolean }

/** Splits `path`, `path~regex`, or `path:type`. */
const parseAlternative = (alternative: string): Alternative => {
  if (alternative.startsWith('=')) return { lookup: compileTemplate(alternative.slice(1)) }
  const sign = alternative.indexOf('~')
  if (sign !== -1)
    return { lookup: compilePath(alternative.slice(0, sign)), pattern: new RegExp(alternative.slice(sign + 1), 'i') }
  const [, path, name = ''] = /^(.{1,200}):([a-z]{4,6})$/.exec(alternative) ?? []
  const type = types[name]
  return path === undefined || type === undefined
    ? { lookup: compilePath(alternative) }
    : { lookup: compilePath(path), type }
}

const compileAlternative = (alternative: string): Lookup => {
  const { lookup, pattern, type } = parseAlternative(alternative)
  if (type !== undefined) {
    return (entry, root) => {
      const value = lookup(entry, root)
      return type(value) ? value : undefined
    }
  }
  if (pattern === undefined) return lookup
  return (entry, root) => {
    const match = pattern.exec(scalarText(lookup(entry, root)))
    return match?.[1] ?? match?.[0]
  }
}

/** Compiles an expression, once, when its table is loaded. */
export const compileLookup = (expression: string): Lookup => {
  const lookups = expression.split(' | ').map(compileAlternative)
  const [first] = lookups
  if (first !== undefined && lookups.length === 1) return first
  return (entry, root) => {
    for (const lookup of lookups) {
      const value = lookup(entry, root)
      if (hasValue(value)) return value
    }
    return undefined
  }
}

const compileTest = (alternative: string): Condition => {
  const { lookup, pattern, type = hasValue } = parseAlternative(alternative)
  if (pattern !== undefined) return (entry, root) => pattern.test(scalarText(lookup(entry, root)))
  return (entry, root) => type(lookup(entry, root))
}

const compileTerm = (term: string): Condition => {
  const isNegated = term.startsWith('!')
  const tests = term
    .slice(isNegated ? 1 : 0)
    .split(' | ')
    .map(compileTest)
  return (entry, root) => tests.some((test) => test(entry, root)) !== isNegated
}

/** Compiles a list of conditions, any of which must hold. */
export const compileConditions = (conditions: readonly string[]): Condition => {
  const alternatives = conditions.map((condition) => condition.split(' & ').map(compileTerm))
  return (entry, root) => alternatives.some((terms) => terms.every((term) => term(entry, root)))
}

/** Keys of which a body has at least one if a condition holds. Used to find the rows of a table. */
export const firstKeysOf = (conditions: readonly string[]): readonly string[] =>
  conditions.flatMap((condition) => {
    const term = condition.split(' & ').find((part) => !part.startsWith('!'))
    if (term === undefined) throw new TypeError(`The condition "${condition}" needs a term that is not negated.`)
    return term.split(' | ').flatMap((alternative) => {
      const [path = ''] = alternative.split(/~|:[a-z]{4,6}$/, 1)
      const [first = ''] = path.split(/\.|\[/, 1)
      return path === first ? [path] : [path, first]
    })
  })
