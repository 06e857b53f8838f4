import { isRecord } from '../../sanitize/json-path.ts'
import { toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { describesFailure } from './failure-words.ts'
import { isHeaded, nameInText, subjectOfSentence, toPlainLine } from './named-in-text.ts'
import { plainName } from './names.ts'
import { isMachine, isPlace, isService, usable } from './places.ts'
import { describesOutage } from './quiet.ts'
import type { ReportNode } from './walk.ts'

// Messages of chats and cards. Their headline is often the same for all alerts, and further lines and facts tell what an
// alert is about: `Alert`, `CPU is at 99 %`, `Host: web1`.

const isTypeOfCard = nameTest(/type$/)

/** A card of Microsoft Teams or Google Chat. */
const isCard = ({ key, value, depth }: ReportNode): boolean =>
  (isTypeOfCard(key) && /^(?:AdaptiveCard|MessageCard)$|card\.adaptive$/.test(toText(value) ?? '')) ||
  (depth === 1 && (key === 'cards' || key === 'cardsv2') && Array.isArray(value))

/** A text without anything else is a message of a chat. */
export const isChat = (nodes: readonly ReportNode[], message: string): boolean =>
  message !== '' &&
  nodes.some(
    (node) =>
      isCard(node) || (node.depth === 1 && (node.key === 'text' || node.key === 'content') && node.value === message),
  )

/** Headlines of everything a sender reports. */
export const isCommonHeadline = (text: string): boolean => commonHeadline.test(text)
const commonHeadline =
  /^\W{0,3}(?:(?:new|system|server|service|monitoring|critical|security|important) )?(?:alerts?|alarms?|notifications?|errors?|warnings?|incidents?|problems?|messages?|events?|reports?|status|critical|info|failures?|outages?|down|firing|resolved|recovered|ok|up)\W{0,3}$/i

const isText = nameTest(
  /^(?:(?:plain|body|header)?(?:text|title)|content|description|summary|pretext|headline|subtitle)$/,
)
const maxLines = 40

const linesOf = (text: string): readonly string[] =>
  text
    .slice(0, 4_000)
    .split(/\n|<br ?\/?>/, maxLines)
    .map(toPlainLine)
    .filter((line) => line !== '')

/** The places in the lines of a message: `Host: web1`. */
export const placesInText = (text: string): readonly string[] =>
  placesInLines(linesOf(text)).filter((name) => name !== null)

const linesIn = (nodes: readonly ReportNode[], message: string): readonly string[] =>
  nodes
    .filter(({ key, value }) => isText(key) && typeof value === 'string' && value !== message)
    .flatMap(({ value }) => linesOf(String(value)))
    .slice(0, maxLines)

const maxLabelLength = 40

/** `Host: web1` */
const parseFact = (line: string): readonly [label: string, value: string] | null => {
  const sign = line.slice(0, maxLabelLength).indexOf(':')
  return sign < 1 ? null : [plainName(line.slice(0, sign)), line.slice(sign + 1).trim()]
}

/** `Host:` above its value. */
const isLabel = (line = ''): boolean => {
  const [label, value] = parseFact(line) ?? []
  return value === '' && isNamed(label ?? '')
}

const isNamed = (label: string): boolean => isPlace(label) || isService(label) || isMachine(label)

/** A label may stand above its value. */
const placesInLines = (lines: readonly string[]): readonly (string | null)[] =>
  lines.map((line, index) => {
    const [label, value] = parseFact(line) ?? ['', '']
    return isNamed(label) ? usable(value || lines[index + 1]) : null
  })

/** Google Chat has the label of a fact beside its content. */
const placeInWidget = ({ key, value, parent }: ReportNode): string | null =>
  key === 'toplabel' && isNamed(plainName(toText(value) ?? '')) ? usable(parent['content'] ?? parent['text']) : null

const placesIn = (nodes: readonly ReportNode[], lines: readonly string[]): readonly string[] => {
  const facts = nodes.map((node) =>
    isNamed(node.key) && !isRecord(node.value) ? usable(node.value) : placeInWidget(node),
  )
  return [...new Set([...facts, ...placesInLines(lines)].filter((name) => name !== null))].toSorted()
}

/** `TrueNAS @ nas1`: the next line says what has happened. */
const saysNothing = (line: string): boolean =>
  !isHeaded(line) && subjectOfSentence(line) === null && !describesFailure(line) && !describesOutage(line)

const isSaying = (line: string): boolean =>
  parseFact(line) === null && !isCommonHeadline(line) && /\p{L}{2}/u.test(line)

/** What a message of a chat is about, whatever its state: its headline, the line that says something, and places. */
export const namesInChat = (nodes: readonly ReportNode[], message: string): readonly string[] => {
  const [first = message, ...own] = linesOf(message)
  const lines = [...own, ...linesIn(nodes, message)]
  const next = isCommonHeadline(first) ? lines : own
  const said = next.find((line, index) => isSaying(line) && line !== first && !isLabel(next[index - 1]))
  const isSilent = isCommonHeadline(first) || saysNothing(first)
  return [message, ...(said !== undefined && isSilent ? [said] : [])].map(nameInText).concat(placesIn(nodes, lines))
}
