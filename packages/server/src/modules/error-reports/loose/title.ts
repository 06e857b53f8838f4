import type { Findings } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { headline } from '../stacks/reading.ts'

/** What Ruby's `inspect` makes of an exception: `#<Redis::TimeoutError: no answer>`. */
const inspected = /^#<([A-Z][\w:]{0,250})(?:: ([\s\S]*))?>$/

const longestClass = 250
const oneWord = /^[\w$\\.:*/@<>`]+$/
const capitalOrNamespace = /[A-Z]|\\|\w\.\w|::/
const addressOrEnd = /^https?:|[:.]$/

/** A class by its look: no blanks, and a capital letter or a namespace in it. */
export const isClassName = (text: string): boolean =>
  text.length <= longestClass && oneWord.test(text) && capitalOrNamespace.test(text) && !addressOrEnd.test(text)

/** A class that is surely one. "Unauthorized" may be a class, and is more often the name of a status. */
export const looksThrown = (text: string): boolean =>
  isClassName(text) && /(?:Error|Exception|Fault|Failure|Warning|Throwable)$|\\|::/.test(text)

/** `TypeError: x is null`, a class alone, a whole stack, or just words. */
export const readTitle = (text: string): Findings => {
  const ruby = inspected.exec(text.slice(0, 65_535))
  if (ruby) return { exception: ruby[1], message: ruby[2] }
  if (text.includes('\n')) return readStack(text) === null ? { message: text } : { stack: text }
  const title = headline(text)
  if (title.exception !== null && title.message !== null && looksThrown(title.exception)) return title
  return isClassName(text) ? { exception: text } : { message: text }
}
