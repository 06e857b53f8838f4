/** Limits on JSON text, checked before it is parsed. */
export type JsonLimits = {
  /** Maximum nesting depth of objects and lists. */
  readonly depth: number
  /** Maximum number of values. Memory grows with values, not bytes: 24 MB of `{}` would take a gigabyte. */
  readonly values: number
  /** Maximum number of fields in one object. Only `values` limits the length of a list. */
  readonly fields?: number
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openObject = 0x7b

const steps = new Int8Array(0x80)
steps['['.charCodeAt(0)] = 1
steps['{'.charCodeAt(0)] = 1
steps[']'.charCodeAt(0)] = -1
steps['}'.charCodeAt(0)] = -1

/** The index of the quote that ends the string. `indexOf` skips long text fast. */
const stringEnd = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (json.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
    end = json.indexOf('"', end + 1)
  }
  return json.length
}

type Measure = {
  /** The number of fields at each open level. A list starts at a large negative number, so it has no limit. */
  readonly levels: number[]
  values: number
}

const open = ({ levels }: Measure, code: number, { depth }: JsonLimits): keyof JsonLimits | null => {
  if (levels.length >= depth) return 'depth'
  levels.push(code === openObject ? 1 : Number.NEGATIVE_INFINITY)
  return null
}

const countField = (
  { levels }: Measure,
  { fields = Number.POSITIVE_INFINITY }: JsonLimits,
): keyof JsonLimits | null => {
  const last = levels.length - 1
  const count = (levels[last] ?? 0) + 1
  if (last >= 0) levels[last] = count
  return count > fields ? 'fields' : null
}

/** A bracket or a comma. */
const weigh = (measure: Measure, code: number, limits: JsonLimits): keyof JsonLimits | null => {
  if (steps[code] === -1) {
    measure.levels.pop()
    return null
  }
  measure.values += 1
  return code === comma ? countField(measure, limits) : open(measure, code, limits)
}

/**
 * Returns the limit that a text exceeds, or null. Counts brackets and commas in the text: 25 MiB of `[` would
 * otherwise become millions of nested arrays and overflow the stack later.
 */
export const findExceededLimit = (json: string, limits: JsonLimits): keyof JsonLimits | null => {
  const measure: Measure = { levels: [], values: 0 }
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = stringEnd(json, index)
    else if (code === comma || (steps[code] ?? 0) !== 0) {
      const excess = weigh(measure, code, limits)
      if (excess !== null) return excess
    }
  }
  return measure.values > limits.values ? 'values' : null
}
