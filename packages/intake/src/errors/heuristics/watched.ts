import { isObject, textOf } from '../json.ts'
import { nameTest } from '../remembered.ts'
import { best, isAddress, type Rank, rankOf } from './rank.ts'
import { isBareState } from './state-words.ts'
import type { Place } from './walk.ts'

// Whoever watches something gives it a name and an id.

const watched =
  'alert|rule|alarm|monitor|check|sensor|probe|detector|policy|condition|incident|heartbeat|snitch|test|trigger|watchdog|uptime|service|host|item|issue|problem'
const nameRank = rankOf([
  /(?:alert|rule|alarm|detector|condition|policy|eventdefinition)(?:display)?(?:name|title|label)$/,
  /(?:monitor|check|sensor|probe|heartbeat|snitch|trigger|test|item)(?:display|friendly)?(?:name|title|label)$/,
  /^(?:displayname|friendlyname|name)$/,
  /^(?:title|label)$/,
  /^(?:monitor|check|sensor|probe|rule|alarm|alert)$/,
  /^(?:subject|headline)$|title$/,
])
const isWatchedOwner = nameTest(new RegExp(`^(?:${watched})$`))
const isWatchedId = nameTest(
  /^(?:alert|rule|alarm|monitor|check|sensor|probe|detector|policy|condition|incident|heartbeat|snitch|test|trigger|problem)(?:u?u?id|key|number|name|url|type)$/,
)

/** A condition that is written as a sentence: `trigger: "disk is full on db-1"`. A word there is a state. */
const isCondition = nameTest(/^(?:trigger|condition|problem|issue|alertrule|rulecondition)$/)
const sentence = /\p{L}\s+\p{L}+\s+\p{L}/u

const rankOfName: Rank = ({ key, owner, depth, value }) => {
  if (depth === 1 && isCondition(key) && typeof value === 'string' && sentence.test(value)) return 4
  const rank = nameRank(key)
  if (rank !== 2 && rank !== 3) return rank
  return depth === 1 || isWatchedOwner(owner) ? rank : null
}

const isRuleName = nameTest(
  /^(?:alert|rule|alarm|detector|condition|policy|monitor|check|trigger)(?:display|friendly)?name$/,
)

/** Whether a rule is named, in whatever spelling. */
export const namesRule = (places: readonly Place[]): boolean =>
  places.some(({ key, value, depth, isListed }) => depth <= 2 && !isListed && isRuleName(key) && textOf(value) !== null)

const stateBeforeName =
  /^(?:\[(?:firing|resolved|triggered|alerting|recovered|ok|closed|problem|no data|pending)\b[^\]]{0,80}\]|(?:firing|resolved|triggered|alerting|recovered|ok|closed|problem):)\s{0,9}/i

/** The name alone: `Triggered: disk` and `Resolved: disk` are of one rule. */
export const withoutState = (name: string): string => name.replace(stateBeforeName, '') || name

/** What a rule or a monitor is called by whoever watches. */
export const watchedName = (places: readonly Place[]): string | null =>
  best(
    places.filter(({ isListed }) => !isListed),
    rankOfName,
    ({ value }) => {
      const text = typeof value === 'string' ? textOf(value)?.trim() : null
      return text && !isAddress(text) && !isBareState(text) && /\p{L}/u.test(text) ? text : null
    },
  )

const isWatcher = nameTest(/^(?:alert|monitor|check|sensor|probe|snitch|alarm|trigger|incident)$/)

/** Whether a report is about something that is watched: it has an id, a name or an object of one. */
export const isWatched = (places: readonly Place[]): boolean =>
  places.some(
    ({ key, value, depth, isListed }) =>
      depth > 0 &&
      depth <= 2 &&
      !isListed &&
      (isWatchedId(key) || (isWatcher(key) && (isObject(value) || textOf(value) !== null))),
  )
