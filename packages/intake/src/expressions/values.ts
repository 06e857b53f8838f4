import { isRecord } from '../sanitize/json-path.ts'
import { type Budget, NoResult, requireSize, spend, weigh } from './budget.ts'

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** The names in an object. */
export const keysOf = (object: object, budget: Budget): string[] => {
  const keys = Object.keys(object)
  spend(budget, keys.length)
  return keys
}

/** False, null, an empty text, an empty list, and an empty object count as false. */
export const isTruthy = (value: unknown, budget: Budget): boolean => {
  if (isList(value)) return value.length > 0
  if (isRecord(value)) return keysOf(value, budget).length > 0
  return value !== null && value !== false && value !== ''
}

/** Whether two values have the same type and content. */
export const isSame = (first: unknown, second: unknown, budget: Budget): boolean => {
  spend(budget, 1)
  if (typeof first === 'string' && typeof second === 'string' && first.length === second.length) weigh(first, budget)
  if (first === second) return true
  if (isList(first) && isList(second))
    return first.length === second.length && first.every((entry, index) => isSame(entry, second[index], budget))
  if (!isRecord(first) || !isRecord(second)) return false
  const keys = keysOf(first, budget)
  return (
    keys.length === keysOf(second, budget).length &&
    keys.every((key) => Object.hasOwn(second, key) && isSame(first[key], second[key], budget))
  )
}

/** Throws before a text would be built that is longer than a result may be. */
const requireSmall = (value: unknown, budget: Budget): void => {
  let bytes = 0
  const add = (part: unknown): void => {
    spend(budget, 1)
    bytes += typeof part === 'string' ? weigh(part, budget) : 1
    requireSize(bytes)
    if (isList(part)) part.forEach(add)
    if (!isRecord(part)) return
    for (const key of keysOf(part, budget)) {
      add(key)
      add(part[key])
    }
  }
  add(value)
}

/** A text as it is, any other value as JSON. */
export const toText = (value: unknown, budget: Budget): string => {
  if (typeof value === 'string') return value
  requireSmall(value, budget)
  const text = JSON.stringify(value)
  requireSize(weigh(text, budget))
  return text
}

export const requireText = (value: unknown): string => {
  if (typeof value !== 'string') throw new NoResult()
  return value
}

/** A text that is compared to its end. */
export const readText = (value: unknown, budget: Budget): string => {
  const text = requireText(value)
  weigh(text, budget)
  return text
}
