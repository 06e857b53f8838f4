export type FieldRole = 'name' | 'first' | 'last' | 'email' | 'phone' | 'company' | 'message'

/** What fields of a role are called in one language, one spelling or several: separated by commas, decorations left out. */
export type Spellings = { readonly language: string } & Readonly<Partial<Record<FieldRole, string>>>
