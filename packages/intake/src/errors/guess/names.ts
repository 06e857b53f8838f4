import names from './names.json' with { type: 'json' }

// The names that languages, frameworks, and loggers use for the same field, the better ones first.

const listOf = (words: string): readonly string[] => words.split(' ')

export const messageKeys = listOf(names.message)
export const classKeys = listOf(names.class)
export const stackKeys = listOf(names.stack)
export const causeKeys = listOf(names.cause)
export const errorKeys = listOf(names.error)
export const frameKeys = {
  file: listOf(names.frame_file),
  line: listOf(names.frame_line),
  function: listOf(names.frame_function),
  module: listOf(names.frame_module),
  inApp: listOf(names.frame_in_app),
} as const

/** Names in other languages, with their English equivalents. Sentences are found in any language. */
const translations: ReadonlyMap<string, string> = new Map(
  Object.entries(names.translations).flatMap(([name, others]) => listOf(others).map((other) => [other, name] as const)),
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
