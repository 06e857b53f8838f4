import { messageRules } from './message-rules.ts'

/** What stays the same when the same error happens to something else. */
export const normaliseMessage = (message: string): string => {
  let text = message
  for (const { concerns, apply } of messageRules) if (concerns === undefined || concerns(text)) text = apply(text)
  return text
}

/** The rules that changed a message, in their order. */
export const rulesApplied = (message: string): string[] => {
  let text = message
  return messageRules.flatMap(({ name, concerns, apply }) => {
    const before = text
    if (concerns === undefined || concerns(text)) text = apply(text)
    return text === before ? [] : [name]
  })
}
