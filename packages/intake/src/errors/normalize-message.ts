import { memoize } from './memoize.ts'
import { hideMachines, hideNames, messageRules } from './message-rules.ts'

const normalize = (message: string): string => {
  let text = message
  for (const { mayApply, apply } of messageRules) if (mayApply === undefined || mayApply(text)) text = apply(text)
  return text
}

const maxTitleLength = 300

/** Frequent errors mostly have the same short message. */
const maxRememberedLength = 200
const normalizeShort = memoize(normalize, 500)

/** The part of a message that does not depend on the affected object. */
export const normalizeMessage = (message: string): string =>
  message.length > maxRememberedLength ? normalize(message) : normalizeShort(message)

/** The same of a text that names things, such as a title. `web1` and `web2` are two things. */
export const normalizeTitle = (title: string): string => normalize(hideNames(title.slice(0, maxTitleLength)))

/** The same of a message about an outage, with the names of machines. */
export const normalizeOutage = (message: string): string => normalize(hideMachines(message))

/** The rules that changed a message, in order. */
export const rulesApplied = (message: string): string[] => {
  let text = message
  return messageRules.flatMap(({ name, mayApply, apply }) => {
    const before = text
    if (mayApply === undefined || mayApply(text)) text = apply(text)
    return text === before ? [] : [name]
  })
}
