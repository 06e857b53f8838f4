import { isRecord } from '../../sanitize/json-path.ts'
import { keysIn } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { joinedText } from './error-object.ts'
import { isUrl, type Rank, rankBy } from './rank.ts'
import { isBareState } from './state-words.ts'
import type { ReportNode } from './walk.ts'

// Finds the message of a report.

const errorWords =
  'errors?|exceptions?|err|exc|failures?|faults?|crash|throwable|panic|problem|rootcause|lasterror|failed|abort'
/** `error_class`, `exceptionName`. */
export const classOfError = new RegExp(`(?:${errorWords})(?:class|classname|type|name|kind)(?:name)?$`)
export const isErrorish = nameTest(new RegExp(`(?:${errorWords})(?:info|data|details?|object|context|event)?$`))

export const messageRank = rankBy([
  new RegExp(`(?:${errorWords})(?:message|msg|text|description|desc|details?|reason|str|string|summary)$`),
  /(?<!commit|status)(?:message|msg)$|^message(?!header|id)|declinereason$/,
  /^(?:errors?|exception|err|failures?|cause|reason|fault|problem|stderr|rootcause|panic|crash|log|logline|line|logstring)$|(?:failure|error|reason|cause|diagnosis)$/,
  /(?<!status)(?:description|desc|summary|explanation|details?|synopsis|advisory|annotation|diagnostics?|output|(?<!con)te?xt|humanreadable)$|^raw$/,
  /^(?:body|content|event|info|data|args|arguments|issue|bug|note|complaint|condition)$/,
  /^(?:subject|headline|statusmessage)$|title$/,
  /^(?:job|task|pipeline|workflow|build|builder|suite|flow|script|playbook)name$/,
])
const bounds = {
  /** A single word is just a value; a sentence is a message. */
  sentenceOnly: 4,
  /** The name of what was run. */
  lastMessage: 6,
  /** Texts that are not sentences rank after all sentences. */
  wordsOnly: 6,
} as const
const sentence = /(?<=\p{L}{2})[\s,:]{1,3}\p{L}/u
/** `order.failed` is an event type. A character must not be both a separator and part of a word: that backtracks. */
const constantForm = /^[\w-]{1,200}(?:[.:][\w-]{1,200}){0,8}$/
const joinedWords = /[^\W_][._:][^\W_]/
const isConstant = (text: string) => constantForm.test(text) && joinedWords.test(text)

/** `UNABLE_TO_LOCATE` or `failed` counts as a message if there is no other. */
const reasonConstant = /^[A-Z]{2,20}(?:_[A-Z0-9]{2,20}){1,8}$/
const lastOfAll = 20

/** Whether the name is specific to errors: `errorMessage`. */
export const isErrorsMessage = (nodes: readonly ReportNode[], message: unknown): boolean =>
  typeof message === 'string' && nodes.some(({ key, value }) => value === message && messageRank(key) === 0)

/** The reason for a start is not the reason for a failure. */
const isOfStart = nameTest(/^(?:run|build|trigger|start|launch|schedule)(?:reason|cause|message)$/)

/** If a state is next to it, `name` is the name of a run. */
const isRun = nameTest(/^(?:(?:job|task|pipeline|workflow|build|check|step|stage|deployment)(?:run|suite)?|run|suite)$/)
const runStates = ['status', 'state', 'conclusion', 'result'] as const
const rankOfRun = ({ key, owner, parent }: ReportNode): number | null =>
  key === 'name' && isRun(owner) && keysIn(parent, runStates).length > 0 ? bounds.lastMessage : null

/** Ignores numbers. A list has a message per field; an object under a message name contains it. */
export const readMessage = ({ key, value }: ReportNode): string | null => {
  if (typeof value === 'number' || (isRecord(value) && messageRank(key) !== 1)) return null
  const text = joinedText(value)
  // LogDNA calls a printed line `line`; elsewhere that is a number.
  return key === 'line' && text?.includes(' ') !== true ? null : text
}

/** Under a message name, one letter is enough. A line number is not a message. */
const says = (rank: number, text: string): boolean => rank === 1 || /\p{L}{2}/u.test(text)

/** Every message inside an error belongs to it. Prefers a sentence to a word. */
export const rankOfMessage: Rank = (node) => {
  const rank = isOfStart(node.key) ? null : (messageRank(node.key) ?? rankOfRun(node))
  const text = rank === null || Array.isArray(node.parent['loc']) ? null : readMessage(node)
  if (rank === null || text === null || isUrl(text) || !says(rank, text)) return null
  return rankOfText(rank, text, isErrorish(node.owner))
}

const rankOfText = (rank: number, text: string, isInside: boolean): number | null => {
  if (isConstant(text)) return rank === 0 && reasonConstant.test(text) ? lastOfAll : null
  if (isBareState(text)) return lastOfAll
  const isSentence = sentence.test(text.slice(0, 500))
  if (rank === bounds.sentenceOnly && !isSentence) return lastOfAll - 1
  return (isInside ? Math.min(rank, 1) : rank) + (isSentence ? 0 : bounds.wordsOnly)
}
