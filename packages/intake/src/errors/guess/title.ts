import { toText } from '../json.ts'
import type { RecordDraft } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { type StackHeader, stackHeader } from '../stacks/stack-reader.ts'

/** An exception in the format of Ruby's `inspect`: `#<Redis::TimeoutError: no answer>`. */
const inspected = /^#<([A-Z][\w:]{0,250}?)(?:: |>$)/

const maxClassLength = 250
const oneWord = /^[\w$\\.:*/@<>`]+$/
const capitalOrNamespace = /[A-Z]|\\|\w\.\w|::/
const addressOrEnd = /^https?:|[:.]$/

/** Whether a text looks like a class: no spaces, and a capital letter or a namespace. */
export const isClassName = (text: string): boolean =>
  text.length <= maxClassLength && oneWord.test(text) && capitalOrNamespace.test(text) && !addressOrEnd.test(text)

/** Signals that end a process. */
const signal = /^(?:EXC_[A-Z_]{3,40}|SIG[A-Z]{3,6})$/

/** A certain class. "Unauthorized" may be a class, but is more often the name of a status. */
export const looksThrown = (text: string): boolean =>
  text !== '' &&
  (signal.test(text) ||
    (isClassName(text) && /(?:Error(?:Response|Event)?|Exception|Fault|Failure|Warning|Throwable)$|\\|::/.test(text)))

/** `Shop::StockError (none left)`, as Rails logs it. */
const inParentheses = /^([A-Z][\w:]{0,250}) \(([^\n]{1,4000})\):?$/

/** Class and message of one line, if it has both. */
const classAndMessage = (text: string): StackHeader => {
  const [, exception, message] = inParentheses.exec(text.trim()) ?? []
  if (exception === undefined || message === undefined || !looksThrown(exception)) return stackHeader(text)
  return { exception, message }
}

/** `TypeError: x is null`, a class alone, a whole stack, or just words. */
export const readTitle = (text: string): RecordDraft => {
  const ruby = text.endsWith('>') ? inspected.exec(text) : null
  if (ruby) return { exception: ruby[1], message: text.slice(ruby[0].length, -1) || undefined }
  if (text.includes('\n')) return readStack(text) === null ? { message: text } : { stack: text }
  const title = classAndMessage(text)
  if (title.exception !== null && title.message !== null && looksThrown(title.exception)) return title
  return isClassName(text) ? { exception: text } : { message: text }
}

/** Generic names of error classes. */
const bareClass = /^(?:Error|Exception|Throwable|Failure|Fault)$/i

/** `NullReferenceException: no cart` as the message, if the report has no better class. */
export const withTitle = (found: RecordDraft): RecordDraft => {
  const [message, exception] = [toText(found.message), toText(found.exception)]
  if (message === null || message.includes('\n') || (exception !== null && !bareClass.test(exception))) return found
  const title = classAndMessage(message)
  if (title.exception === null || title.message === null || !looksThrown(title.exception)) return found
  return bareClass.test(title.exception) ? found : { ...found, ...title }
}
