import { isObject, keysIn } from '../json.ts'
import { nameTest } from '../remembered.ts'
import { joinedText } from './error-object.ts'
import { isAddress, type Rank, rankOf } from './rank.ts'
import { isBareState } from './state-words.ts'
import type { Place } from './walk.ts'

// Which of the texts of a report says what went wrong.

const errorWords =
  'errors?|exceptions?|err|exc|failures?|faults?|crash|throwable|panic|problem|rootcause|lasterror|failed|abort'
/** `error_class`, `exceptionName`. */
export const classOfError = new RegExp(`(?:${errorWords})(?:class|classname|type|name|kind)(?:name)?$`)
export const isErrorish = nameTest(new RegExp(`(?:${errorWords})(?:info|data|details?|object|context|event)?$`))

export const messageRank = rankOf([
  new RegExp(`(?:${errorWords})(?:message|msg|text|description|desc|details?|reason|str|string|summary)$`),
  /(?<!commit)(?:message|msg)$|^message(?!header|id)|declinereason$/,
  /^(?:errors?|exception|err|failures?|cause|reason|fault|problem|stderr|rootcause|panic|crash|log|logline|line|logstring)$|(?:failure|error|reason|cause|diagnosis)$/,
  /(?<!status)(?:description|desc|summary|explanation|details?|synopsis|advisory|annotation|diagnostics?|output|(?<!con)te?xt|humanreadable)$|^raw$/,
  /^(?:body|content|event|info|data|args|arguments|issue|bug|note|complaint|condition)$/,
  /^(?:subject|headline)$|title$/,
  /^(?:job|task|pipeline|workflow|build|builder|suite|flow|script|playbook)name$/,
])
const bounds = {
  /** A word there is any value; a sentence is said. */
  sentenceOnly: 4,
  /** The name of what was run. */
  lastMessage: 6,
  /** What is no sentence stands behind all that is one. */
  wordsOnly: 6,
} as const
const sentence = /(?<=\p{L}{2})[\s,:]{1,3}\p{L}/u
/** `order.failed` names a kind of note. No sign may both separate words and be in one: every split would be tried. */
const constantForm = /^[\w-]{1,200}(?:[.:][\w-]{1,200}){0,8}$/
const joinedWords = /[^\W_][._:][^\W_]/
const isConstant = (text: string) => constantForm.test(text) && joinedWords.test(text)

/** `UNABLE_TO_LOCATE` says something, where nothing else does; so does `failed` alone. */
const reasonConstant = /^[A-Z]{2,20}(?:_[A-Z0-9]{2,20}){1,8}$/
const lastOfAll = 20

/** Whether a text stands under a name that only errors have: `errorMessage`. */
export const isErrorsMessage = (places: readonly Place[], message: unknown): boolean =>
  places.some(({ key, value }) => value === message && messageRank(key) === 0)

/** Why something was begun is not why it failed. */
const isOfStart = nameTest(/^(?:run|build|trigger|start|launch|schedule)(?:reason|cause|message)$/)

/** What was run is called by its name where its state stands beside it. */
const isRun = nameTest(/^(?:(?:job|task|pipeline|workflow|build|check|step|stage|deployment)(?:run|suite)?|run|suite)$/)
const runStates = ['status', 'state', 'conclusion', 'result'] as const
const rankOfRun = ({ key, owner, holder }: Place): number | null =>
  key === 'name' && isRun(owner) && keysIn(holder, runStates).length > 0 ? bounds.lastMessage : null

/** A number says nothing; a list says something of each field; an object under the name of a message holds it. */
export const readMessage = ({ key, value }: Place): string | null => {
  if (typeof value === 'number' || (isObject(value) && messageRank(key) !== 1)) return null
  const text = joinedText(value)
  // LogDNA calls a printed line `line`; elsewhere that is a number.
  return key === 'line' && text?.includes(' ') !== true ? null : text
}

/** Under a name of its own a message may be of one letter; a number of a line is none. */
const says = (rank: number, text: string): boolean => rank === 1 || /\p{L}{2}/u.test(text)

/** Inside of an error every message is the error's. A sentence says more than a word. */
export const rankOfMessage: Rank = (place) => {
  const rank = isOfStart(place.key) ? null : (messageRank(place.key) ?? rankOfRun(place))
  const text = rank === null || Array.isArray(place.holder['loc']) ? null : readMessage(place)
  if (rank === null || text === null || isAddress(text) || !says(rank, text)) return null
  return rankOfText(rank, text, isErrorish(place.owner))
}

const rankOfText = (rank: number, text: string, isInside: boolean): number | null => {
  if (isConstant(text)) return rank === 0 && reasonConstant.test(text) ? lastOfAll : null
  if (isBareState(text)) return lastOfAll
  const isSentence = sentence.test(text.slice(0, 500))
  if (rank === bounds.sentenceOnly && !isSentence) return lastOfAll - 1
  return (isInside ? Math.min(rank, 1) : rank) + (isSentence ? 0 : bounds.wordsOnly)
}
