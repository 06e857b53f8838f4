import { isObject, textOf } from '../json.ts'
import { best, isAddress, type Rank, rankOf } from './rank.ts'
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
const watchedOwner = new RegExp(`^(?:${watched})$`)
const watchedId =
  /^(?:alert|rule|alarm|monitor|check|sensor|probe|detector|policy|condition|incident|heartbeat|snitch|test|trigger|problem)(?:u?u?id|key|number|name|url|type)$/

const rankOfName: Rank = ({ key, owner, depth }) => {
  const rank = nameRank(key)
  if (rank !== 2 && rank !== 3) return rank
  return depth === 1 || watchedOwner.test(owner) ? rank : null
}

/** What a rule or a monitor is called by whoever watches. */
export const watchedName = (places: readonly Place[]): string | null =>
  best(
    places.filter(({ isListed }) => !isListed),
    rankOfName,
    ({ value }) => {
      const text = typeof value === 'string' ? textOf(value)?.trim() : null
      return text && !isAddress(text) && /\p{L}/u.test(text) ? text : null
    },
  )

/** Whether a report is about something that is watched: it has an id, a name or an object of one. */
export const isWatched = (places: readonly Place[]): boolean =>
  places.some(
    ({ key, value, depth, isListed }) =>
      depth > 0 &&
      depth <= 2 &&
      !isListed &&
      (watchedId.test(key) ||
        (/^(?:alert|monitor|check|sensor|probe|snitch|alarm|trigger|incident)$/.test(key) &&
          (isObject(value) || textOf(value) !== null))),
  )
