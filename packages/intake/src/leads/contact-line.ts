import { type FormField, shownName } from './labeled-field.ts'
import { roleOf } from './labels/role-of.ts'
import { addressIn, numberIn, severalValues } from './role-matches.ts'

// `contact: "Ann Lee, ann@example.com, +44 20 …"`: one field for the whole contact.

const roleIn = (part: string): 'email' | 'phone' | 'name' | null => {
  if (part.includes('@')) return addressIn(part) === null ? null : 'email'
  if (numberIn(part) !== null) return 'phone'
  return shownName.test(part) ? 'name' : null
}

/** The parts of a field with more than one of a name, an address, and a number; any other field as it is. */
export const contactParts = (field: FormField): readonly FormField[] => {
  if (
    !severalValues.test(field.value) ||
    !field.labels.some((label) => /^(?:name|email|phone)$/.test(roleOf(label) ?? ''))
  )
    return [field]
  const parts = field.value.split(severalValues, 6).map((part) => ({ value: part.trim(), role: roleIn(part.trim()) }))
  const roles = new Set(parts.flatMap(({ role }) => role ?? []))
  if (roles.size < 2) return [field]
  return parts.map(({ value, role }) => ({ ...field, value, labels: role === null ? [] : [role] }))
}

const maxSearched = 2_000
/** In groups, or with a plus or a zero. Other digits may be an order or a date. */
const numberWithin =
  /(?<![\w.+-])(?:\+\d[\d ().-]{5,19}\d|\(\d{2,5}\) ?\d[\d -]{3,13}\d|0\d{2,5}[ /-]?\d{3}[\d -]{0,9}\d|\d{3}[-. ]\d{3}[-. ]\d{4})(?!\w)/

/** "My address is ann@example.com, please write": the first address and number that a person wrote into a message. */
export const contactWithin = (message: string) => {
  const text = message.slice(0, maxSearched)
  const words = text.includes('@') ? text.split(/[\s,;:<>()"']+/) : []
  const addresses = words.flatMap((word) => addressIn(word.replace(/[.!?]{1,5}$/, '')) ?? [])
  return { email: addresses[0] ?? null, phone: numberIn(numberWithin.exec(text)?.[0] ?? '') }
}
