import { keysIn } from '../json.ts'
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
  new RegExp(`(?:${errorWords})(?:message|msg|text|description|desc|details?|reason|string|summary)$`),
  /(?<!commit)(?:message|msg)$|^message(?!header|id)|declinereason$/,
  /^(?:errors?|exception|err|failures?|cause|reason|fault|problem|stderr|rootcause|panic|crash|logstring)$|(?:failure|error|reason|cause|diagnosis)$/,
  /(?<!status)(?:description|desc|summary|explanation|details?|synopsis|advisory|annotation|diagnostics?|output|(?<!con)te?xt|humanreadable)$|^raw$/,
  /^(?:body|content|event|info|data|args|arguments|issue|bug|note|complaint|condition)$/,
  /^(?:subject|headline)$|title$/,
  /^(?:job|task|pipeline|workflow|build|builder|check|test|suite|flow|script|playbook)name$/,
])
const bounds = {
  /** Up to here a name says that something went wrong, or that it is said to people. */
  lastStrong: 1,
  firstWeak: 3,
  /** A word there is any value; a sentence is said. */
  sentenceOnly: 4,
  /** A title says least, where anything else is said. */
  lastWeak: 5,
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

/** Inside of an error every message is the error's. A sentence says more than a word. */
export const rankOfMessage: Rank = (place) => {
  const { key, owner, value } = place
  const rank = isOfStart(key) ? null : (messageRank(key) ?? rankOfRun(place))
  if (rank === null || typeof value !== 'string' || isAddress(value) || !/\p{L}{2}/u.test(value)) return null
  if (isConstant(value)) return rank === 0 && reasonConstant.test(value) ? lastOfAll : null
  const isSentence = sentence.test(value.slice(0, 500))
  if (isBareState(value)) return lastOfAll
  if (rank === bounds.sentenceOnly && !isSentence) return lastOfAll - 1
  const isInside = rank > 0 && isErrorish(owner)
  return (isInside ? Math.min(rank, 1) : rank) + (isSentence ? 0 : bounds.wordsOnly)
}

/** Whether another text of the report says better what went wrong than this one, which stands under a weak name. */
export const isSaidBetter = (places: readonly Place[], message: unknown): boolean => {
  if (isBareState(message)) return places.some((place) => (rankOfMessage(place) ?? lastOfAll) < lastOfAll)
  const isIt = ({ value }: Place) => value === message || (Array.isArray(value) && joinedText(value) === message)
  const ranks = places.filter(isIt).flatMap(({ key }) => messageRank(key) ?? [])
  const worst = ranks.length === 0 ? bounds.firstWeak : Math.min(...ranks)
  const enough = worst === bounds.lastWeak ? bounds.lastWeak : bounds.lastStrong
  return worst >= bounds.firstWeak && places.some((place) => (rankOfMessage(place) ?? bounds.lastWeak) < enough)
}
