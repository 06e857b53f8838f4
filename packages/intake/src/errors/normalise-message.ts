import { messageRules } from './message-rules.ts'
import { remembered } from './remembered.ts'

const normalise = (message: string): string => {
  let text = message
  for (const { concerns, apply } of messageRules) if (concerns === undefined || concerns(text)) text = apply(text)
  return text
}

/** Frequent errors mostly have the same short message. */
const longestRemembered = 200
const normaliseShort = remembered(normalise, 500)

/** The part of a message that does not depend on the affected object. */
export const normaliseMessage = (message: string): string =>
  message.length > longestRemembered ? normalise(message) : normaliseShort(message)

/** The rules that changed a message, in order. */
export const rulesApplied = (message: string): string[] => {
  let text = message
  return messageRules.flatMap(({ name, concerns, apply }) => {
    const before = text
    if (concerns === undefined || concerns(text)) text = apply(text)
    return text === before ? [] : [name]
  })
}
