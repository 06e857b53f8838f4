import { type FormField, shownName } from './labelled-field.ts'
import { roleOf } from './labels/role-of.ts'
import { addressIn, numberIn, severalValues } from './role-matches.ts'

// `contact: "Ann Lee, ann@example.com, +44 20 …"`: somebody wrote into one field who they are and how to reach them.

const mostParts = 6
const contactRoles = /^(?:name|email|phone)$/

const roleIn = (part: string): 'email' | 'phone' | 'name' | null => {
  if (part.includes('@')) return addressIn(part) === null ? null : 'email'
  if (numberIn(part) !== null) return 'phone'
  return shownName.test(part) ? 'name' : null
}

const isOfContact = ({ labels }: FormField) => labels.some((label) => contactRoles.test(roleOf(label) ?? ''))

/** The parts of a field that has more than one of a name, an address and a number; any other as it is. */
export const contactParts = (field: FormField): readonly FormField[] => {
  if (!severalValues.test(field.value) || !isOfContact(field)) return [field]
  const parts = field.value.split(severalValues, mostParts).map((part) => part.trim())
  const roles = parts.map(roleIn)
  const isReachable = roles.includes('email') || roles.includes('phone')
  if (!isReachable || new Set(roles.filter((role) => role !== null)).size < 2) return [field]
  return parts.map((value, index) => {
    const role = roles[index] ?? null
    return { ...field, value, labels: role === null ? [] : [role] }
  })
}
