import { type ReportLimits, unreadable } from './decode-error.ts'

const quote = 0x22
const backslash = 0x5c

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

const openObject = 0x7b
const openList = 0x5b
const isOpening = (code: number) => code === openObject || code === openList
const isClosing = (code: number) => code === 0x5d || code === 0x7d
const comma = 0x2c

/** For each level that is open, how many fields its object has. A list counts from so far below that it has no limit. */
type OpenLevels = number[]

const enter = (levels: OpenLevels, code: number, limits: ReportLimits): void => {
  if (levels.length >= limits.depth) throw unreadable(`The JSON nests deeper than ${limits.depth} levels.`)
  levels.push(code === openObject ? 1 : Number.NEGATIVE_INFINITY)
}

const countField = (levels: OpenLevels, limits: ReportLimits): void => {
  const count = (levels.at(-1) ?? 0) + 1
  if (count > limits.fields) throw unreadable(`An object of the JSON has more than ${limits.fields} fields.`)
  levels[levels.length - 1] = count
}

/** Measured on the text, before anything is built from it: what is too deep or too much never takes memory. */
const requireModest = (json: string, limits: ReportLimits): void => {
  const levels: OpenLevels = []
  let values = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = stringEnd(json, index)
    else if (isOpening(code)) {
      values += 1
      enter(levels, code, limits)
    } else if (isClosing(code)) levels.pop()
    else if (code === comma) {
      values += 1
      countField(levels, limits)
    }
  }
  if (values > limits.values) throw unreadable(`The JSON holds more than ${limits.values} values.`)
}

/** The value, or undefined when the text is no JSON. Throws when the JSON is too deep or holds too much. */
export const parseJson = (json: string, limits: ReportLimits): unknown => {
  requireModest(json, limits)
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
