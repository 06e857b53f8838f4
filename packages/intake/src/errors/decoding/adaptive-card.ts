import { isRecord, type JsonRecord } from '../../sanitize/json-path.ts'
import { at, toList, toObjects, toText } from '../json.ts'

const maxLines = 40
/** Texts of cards are Markdown. */
const markdown = /\*\*|^#{1,6} /gm
const maxDepth = 12

/** Elements of a card that hold others: containers, sets of columns, and tables. */
const holders = ['body', 'items', 'columns', 'rows', 'cells', 'inlines'] as const

const factLine = (fact: JsonRecord): string => `${toText(fact['title']) ?? ''}: ${toText(fact['value']) ?? ''}`

/** A paragraph may be in parts. */
const ownLines = (element: JsonRecord): readonly string[] => {
  if (element['type'] === 'FactSet') return toObjects(element['facts']).slice(0, maxLines).map(factLine)
  if (element['type'] === 'TextBlock') return [toText(element['text']) ?? '']
  if (element['type'] !== 'RichTextBlock') return []
  return [
    toList(element['inlines'])
      .slice(0, maxLines)
      .map((part) => toText(isRecord(part) ? part['text'] : part) ?? '')
      .join(''),
  ]
}

const linesIn = (element: JsonRecord, depth = 0): readonly string[] => {
  const own = ownLines(element)
  if (own.length > 0 || depth >= maxDepth) return own
  return holders
    .flatMap((holder) => toObjects(element[holder]).slice(0, maxLines))
    .flatMap((child) => linesIn(child, depth + 1))
    .slice(0, maxLines)
}

const isCard = (value: unknown): value is JsonRecord => isRecord(value) && value['type'] === 'AdaptiveCard'

/**
 * The adaptive cards of Microsoft Teams as messages of a chat: the texts and facts of each in order. Undefined for other
 * documents.
 */
export const unwrapAdaptiveCards = (document: JsonRecord): JsonRecord[] | undefined => {
  const cards = [document, ...toObjects(document['attachments']).map((attachment) => at(attachment, 'content'))].filter(
    isCard,
  )
  const texts = cards.map((card) =>
    linesIn(card)
      .filter((line) => line.trim() !== '')
      .join('\n')
      .replace(markdown, ''),
  )
  return texts.length > 0 && texts.every((text) => text !== '') ? texts.map((text) => ({ text })) : undefined
}
