import { isRecord } from '../sanitize/json-path.ts'
import { type Budget, NoResult, requireSize, spend, weigh } from './budget.ts'
import { isList, keysOf, readText, requireText, toText } from './values.ts'

interface ExpressionFunction {
  /** How many arguments it takes; undefined for one or more. */
  readonly takes?: number
  /** Whether it takes a list of expressions, such as `[a, b]`. */
  readonly takesList?: boolean
  readonly call: (values: readonly unknown[], budget: Budget) => unknown
}

/** Searching for a long text in a long one costs the product of their lengths in the worst case. */
const charactersPerStep = 256

const includes = (text: string, search: string, budget: Budget): boolean => {
  spend(budget, Math.ceil(text.length / charactersPerStep) * Math.max(1, search.length))
  return text.includes(search)
}

const contains = ([within, search]: readonly unknown[], budget: Budget): boolean => {
  if (isList(within)) {
    spend(budget, within.length)
    return within.includes(search)
  }
  const text = requireText(within)
  return (typeof search === 'string' || typeof search === 'number') && includes(text, String(search), budget)
}

const join = ([separator, list]: readonly unknown[], budget: Budget): string => {
  if (!isList(list)) throw new NoResult()
  const between = requireText(separator)
  let bytes = 0
  for (const entry of list) {
    bytes += weigh(requireText(entry), budget) + weigh(between, budget) + 1
    requireSize(bytes)
  }
  return list.join(between)
}

const length = ([value]: readonly unknown[], budget: Budget): number => {
  if (isList(value) || typeof value === 'string') return value.length
  if (isRecord(value)) return keysOf(value, budget).length
  throw new NoResult()
}

/** A number of JSON, which the specification requires. `Number` alone reads an empty text as 0, and `0x10` as 16. */
const numberInJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

const toNumber = ([value]: readonly unknown[], budget: Budget): number | null => {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return null
  weigh(value, budget)
  return numberInJson.test(value) && Number.isFinite(Number(value)) ? Number(value) : null
}

const typeOf = ([value]: readonly unknown[]): string => {
  if (value === null) return 'null'
  return isList(value) ? 'array' : typeof value
}

/** The functions that a mapping may call. */
export const functions: Readonly<Record<string, ExpressionFunction>> = {
  contains: { takes: 2, takesList: true, call: contains },
  ends_with: { takes: 2, call: ([text, end], budget) => requireText(text).endsWith(readText(end, budget)) },
  join: { takes: 2, takesList: true, call: join },
  length: { takes: 1, call: length },
  not_null: { takesList: true, call: (values) => values.find((value) => value !== null) ?? null },
  starts_with: { takes: 2, call: ([text, start], budget) => requireText(text).startsWith(readText(start, budget)) },
  to_number: { takes: 1, call: toNumber },
  to_string: { takes: 1, call: ([value], budget) => toText(value, budget) },
  type: { takes: 1, call: typeOf },
}

/** Whether a call has the number of arguments that its function takes. */
export const hasArity = (name: string, count: number): boolean =>
  count > 0 && count === (functions[name]?.takes ?? count)
