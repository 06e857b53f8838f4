import names from './names.json' with { type: 'json' }

// The names that languages, frameworks, and loggers use for the same field, the better ones first.

const splitWords = (words: string): readonly string[] => words.split(' ')

export const messageKeys = splitWords(names.message)
export const classKeys = splitWords(names.class)
export const stackKeys = splitWords(names.stack)
export const causeKeys = splitWords(names.cause)
export const errorKeys = splitWords(names.error)
export const frameKeys = {
  file: splitWords(names.frame_file),
  line: splitWords(names.frame_line),
  function: splitWords(names.frame_function),
  module: splitWords(names.frame_module),
  inApp: splitWords(names.frame_in_app),
} as const

/** Names in other languages, with their English equivalents. Sentences are found in any language. */
const translations: ReadonlyMap<string, string> = new Map(
  Object.entries(names.translations).flatMap(([name, others]) =>
    splitWords(others).map((other) => [other, name] as const),
  ),
)

// The normalized form of a name is computed once. This is the limit of new names per body, which `startNaming`
// resets for each body.
const maxNamesTogether = 2_000
const plainNames = new Map<string, string>()

export const startNaming = (): void => plainNames.clear()

/** `error_message`, `ErrorMessage` and `error-message` are one name. */
export const plainName = (name: string): string => {
  const found = plainNames.get(name)
  if (found !== undefined) return found
  if (plainNames.size >= maxNamesTogether) return ''
  const lower = name.toLowerCase()
  const plain = translations.get(lower) ?? lower.replace(/[^a-z0-9]/g, '')
  plainNames.set(name, plain)
  return plain
}
