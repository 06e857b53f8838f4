import type { FormField } from './labelled-field.ts'
import { readLabel } from './labels/role-of.ts'
import { mayReadText } from './reading-budget.ts'
import { accept, addressIn } from './role-matches.ts'

// Mail, chats and Jotform's `pretty` have a whole form in one text: "Name: Ann Lee\nEmail: ann@example.com".

const longestText = 10_000
const mostPieces = 200
const longestLabel = 60

type Written = { readonly question: string; readonly value: string }

/** `*Name:* Ann Lee` as chats write it; an address of the web has a colon, too. */
const labelled = (piece: string): Written | null => {
  const [end, question] = [piece.indexOf(':'), piece.slice(0, longestLabel).split(':', 1)[0] ?? '']
  const value = piece.slice(end + 1)
  if (end < 1 || end > longestLabel || /[=<>]/.test(question) || value.startsWith('//')) return null
  return { question: question.replaceAll(/[*•]/g, '').trim(), value: value.replace(/^\*/, '').trim() }
}

/** `From: Ann Lee <ann@example.com>`, as Contact Form 7 begins its mail. */
const sentBy = /^(?:from|von|de|da|van|от|od|fra)$/i
const labelOf = (question: string, value: string) =>
  sentBy.test(question) && addressIn(value) !== null ? 'email' : question

/** Pieces without a label go on with the value before them. */
const piecesOf = (text: string): readonly FormField[] => {
  const separator = text.includes('\n') ? '\n' : ','
  const fields: Written[] = []
  for (const piece of text.split(separator, mostPieces)) {
    const field = labelled(piece)
    const latest = fields.at(-1)
    if (field !== null) fields.push(field)
    else if (latest !== undefined)
      fields[fields.length - 1] = { ...latest, value: `${latest.value}${separator}${piece}` }
  }
  return fields.map(({ question, value }) => ({ labels: [labelOf(question, value)], question, value }))
}

const isContact = ({ labels: [name = ''], value }: FormField): boolean => {
  const role = readLabel(name)?.role
  return (role === 'email' || role === 'phone') && accept[role](value) !== null
}

const isTelling = ({ labels: [name = ''] }: FormField) => readLabel(name) !== null

/** The fields that a text has, where it has several and one of them says how to reach somebody. */
export const writtenFields = (text: string): readonly FormField[] => {
  if (!text.includes(':') || text.length > longestText || !mayReadText(text)) return []
  const fields = piecesOf(text)
  return fields.filter(isTelling).length > 1 && fields.some(isContact) ? fields : []
}
