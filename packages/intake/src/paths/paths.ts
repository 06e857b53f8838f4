// The grammar of the tables that describe formats. It reads JSON that anybody may have written: every step may be missing.
//
//   a.b.0.c    keys and positions; `[]` stands for the first entry of a list in which the rest finds a value
//   tags.env   a list of names and values (`{name, value}`, `[name, value]`, `name:value`) is read like an object
//   a | b      the first that has a value
//   a~regex    the first group of the expression, else all it matched; upper and lower case are the same
//   ^a         a path in the whole body rather than in the entry of a list; `=text` is the text itself
//
// Conditions test such paths: `a` has a value, `a:object` (`list`, `text`, `number`), `a~regex`, `!a`, joined by ` & `.

export type Lookup = (entry: unknown, whole?: unknown) => unknown
export type Condition = (entry: unknown, whole?: unknown) => boolean

type JsonObject = Readonly<Record<string, unknown>>

const mostEntries = 100
const longestText = 2_000

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const nameKeys = ['key', 'name', 'title', 'label', 'field'] as const
/** OpenTelemetry writes the type of a value beside it. */
const typedValues = ['stringValue', 'intValue', 'doubleValue', 'boolValue'] as const

const pairValue = (entry: JsonObject): unknown => {
  const value = entry['value'] ?? entry['Value']
  const type = isObject(value) ? typedValues.find((name) => Object.hasOwn(value, name)) : undefined
  return type === undefined || !isObject(value) ? value : value[type]
}

/** One entry of a list of names and values. */
export const pairOf = (entry: unknown): readonly [name: string, value: unknown] | null => {
  if (typeof entry === 'string') {
    const sign = entry.slice(0, mostEntries).search(/[:=]/)
    return sign < 1 ? null : [entry.slice(0, sign).trim(), entry.slice(sign + 1, longestText).trim()]
  }
  if (Array.isArray(entry)) return entry.length === 2 && typeof entry[0] === 'string' ? [entry[0], entry[1]] : null
  if (!isObject(entry)) return null
  const name = nameKeys.map((key) => entry[key]).find((key) => typeof key === 'string')
  return typeof name === 'string' ? [name, pairValue(entry)] : null
}

/** `env:production, team:shop` is such a list, too. */
export const entriesOf = (value: unknown): readonly unknown[] => {
  if (typeof value === 'string') return value.slice(0, 8_192).split(',', mostEntries)
  return Array.isArray(value) ? value.slice(0, mostEntries) : []
}

type Path = { readonly steps: readonly string[]; readonly rests: readonly string[] }

const follow = (value: unknown, path: Path, from = 0): unknown => {
  const [step, rest] = [path.steps[from], path.rests[from]]
  if (step === undefined || rest === undefined) return value
  if (isObject(value)) {
    // Keys may contain dots.
    if (Object.hasOwn(value, rest)) return value[rest]
    return Object.hasOwn(value, step) ? follow(value[step], path, from + 1) : undefined
  }
  if (Array.isArray(value) && /^\d{1,4}$/.test(step)) return follow(value[Number(step)], path, from + 1)
  const entries = entriesOf(value)
  if (step === '[]') return entries.map((entry) => follow(entry, path, from + 1)).find(hasValue)
  const pairs = entries.map(pairOf)
  const whole = pairs.find((pair) => pair?.[0] === rest)
  if (whole) return whole[1]
  const found = pairs.find((pair) => pair?.[0] === step)
  return found ? follow(found[1], path, from + 1) : undefined
}

const pathOf = (path: string): Lookup => {
  if (path.startsWith('=')) return () => path.slice(1)
  const steps = path.replace(/^\^/, '').replaceAll('[]', '.[]').split('.').filter(Boolean)
  const compiled = { steps, rests: steps.map((_, index) => steps.slice(index).join('.')) }
  return path.startsWith('^') ? (_, whole) => follow(whole, compiled) : (entry) => follow(entry, compiled)
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).slice(0, longestText)
    : ''

/** `path~regex`, taken apart. */
const partsOf = (alternative: string): readonly [Lookup, RegExp | null] => {
  const sign = alternative.indexOf('~')
  if (sign === -1) return [pathOf(alternative), null]
  return [pathOf(alternative.slice(0, sign)), new RegExp(alternative.slice(sign + 1), 'i')]
}

const alternativeOf = (alternative: string): Lookup => {
  const [lookup, pattern] = partsOf(alternative)
  if (pattern === null) return lookup
  return (entry, whole) => {
    const match = pattern.exec(textOf(lookup(entry, whole)))
    return match?.[1] ?? match?.[0]
  }
}

/** Compiles an expression, which is done once: when its table is loaded. */
export const compileLookup = (expression: string): Lookup => {
  const [first, ...others] = expression.split(' | ').map(alternativeOf)
  if (first === undefined || others.length === 0) return first ?? (() => undefined)
  return (entry, whole) => {
    for (const lookup of [first, ...others]) {
      const value = lookup(entry, whole)
      if (hasValue(value)) return value
    }
    return undefined
  }
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  list: Array.isArray,
  text: (value) => typeof value === 'string' && value.trim() !== '',
  number: (value) => typeof value === 'number',
}

const testOf = (alternative: string): Condition => {
  const [lookup, pattern] = partsOf(alternative)
  if (pattern !== null) return (entry, whole) => pattern.test(textOf(lookup(entry, whole)))
  const [, path = alternative, type = ''] = /^(.{1,200}):([a-z]{4,6})$/.exec(alternative) ?? []
  const value = pathOf(path)
  const test = types[type] ?? hasValue
  return (entry, whole) => test(value(entry, whole))
}

const termOf = (term: string): Condition => {
  const isDenied = term.startsWith('!')
  const tests = term
    .slice(isDenied ? 1 : 0)
    .split(' | ')
    .map(testOf)
  return (entry, whole) => tests.some((test) => test(entry, whole)) !== isDenied
}

/** Compiles a list of conditions, of which one has to hold. */
export const compileConditions = (conditions: readonly string[]): Condition => {
  const alternatives = conditions.map((condition) => condition.split(' & ').map(termOf))
  return (entry, whole) => alternatives.some((terms) => terms.every((term) => term(entry, whole)))
}

/** The keys of a body of which it has one when one of the conditions holds: by these the rows of a table are found. */
export const firstKeysOf = (conditions: readonly string[]): readonly string[] =>
  conditions.flatMap((condition) => {
    const term = condition.split(' & ').find((one) => !one.startsWith('!'))
    if (term === undefined) throw new TypeError(`The condition "${condition}" needs a term that is not negated.`)
    return term.split(' | ').flatMap((alternative) => {
      const [path = ''] = alternative.split(/~|:[a-z]{4,6}$/, 1)
      const [first = ''] = path.split(/\.|\[/, 1)
      return path === first ? [path] : [path, first]
    })
  })
