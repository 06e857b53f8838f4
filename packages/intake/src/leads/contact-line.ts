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
