import { identifierAt, type JsonRecord, lineAt } from '../sanitize/json-path.ts'
import { accept } from './role-matches.ts'

// The documented body: these fields at the top level.

const documentedKeys = ['name', 'email', 'phone', 'company', 'message'] as const

/** The address and the number under the documented names, if they are valid. */
export const documentedContact = (body: JsonRecord) => ({
  email: accept.email(lineAt(body, 'email') ?? ''),
  phone: accept.phone(identifierAt(body, 'phone') ?? ''),
})

export const hasDocumentedContact = (body: JsonRecord): boolean =>
  Object.values(documentedContact(body)).some((contact) => contact !== null)

/** Of two fields with equal labels, the first is read. */
export const documentedFirst = (body: JsonRecord): JsonRecord => {
  if (!hasDocumentedContact(body)) return body
  const keys = documentedKeys.filter((key) => Object.hasOwn(body, key))
  return { ...Object.fromEntries(keys.map((key) => [key, body[key]])), ...body }
}

/** A person wrote a message, so the body is not an event about that person. */
export const isDocumentedInquiry = (body: JsonRecord): boolean =>
  lineAt(body, 'name') !== null && lineAt(body, 'message') !== null && hasDocumentedContact(body)
