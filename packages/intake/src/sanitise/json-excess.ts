/** What a text of JSON may cost before anything is built from it. */
export type JsonLimits = {
  /** How deep objects and lists may nest. */
  readonly depth: number
  /** What JSON costs in memory grows with its values, not with its bytes: 24 MB of `{}` would become a gigabyte. */
  readonly values: number
  /** How many fields one object may have. A list may be as long as `values` allows. */
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

/** The index of the quote that ends the string. `indexOf` leaps over long text at the speed of memory. */
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
  /** For each open level how many fields its object has. A list counts from so far below that it has no limit. */
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
 * The limit that a text goes beyond, or null. Brackets and commas are counted on the text: a body of 25 MiB of `[` would
 * otherwise become millions of arrays, and whoever walks or prints the result later would run out of stack.
 */
export const excessOf = (json: string, limits: JsonLimits): keyof JsonLimits | null => {
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
