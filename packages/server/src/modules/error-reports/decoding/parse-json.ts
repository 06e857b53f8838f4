import { type ReportLimits, unreadable } from './refusal.ts'

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

const isOpening = (code: number) => code === 0x5b || code === 0x7b
const isClosing = (code: number) => code === 0x5d || code === 0x7d
const comma = 0x2c

/** Measured on the text, before anything is built from it: what is too deep or too much never takes memory. */
const requireModest = (json: string, limits: ReportLimits): void => {
  let depth = 0
  let values = 0
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index)
    if (code === quote) index = stringEnd(json, index)
    else if (isOpening(code)) {
      depth += 1
      values += 1
      if (depth > limits.depth) throw unreadable(`The JSON nests deeper than ${limits.depth} levels.`)
    } else if (isClosing(code)) depth -= 1
    else if (code === comma) values += 1
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
