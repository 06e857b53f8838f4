import languages from './languages.json' with { type: 'json' }

export type FieldRole = 'name' | 'first' | 'last' | 'email' | 'phone' | 'company' | 'message'

/** The labels of each role in one language, separated by commas, without decorations. */
export type Spellings = Readonly<Partial<Record<FieldRole, string>>>

/** By the names of the languages. */
export const knownLanguages: Readonly<Record<string, Spellings>> = languages
