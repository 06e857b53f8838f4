import { nameTest } from '../remembered.ts'
import { type State, stateOfTitle } from './state-words.ts'
import { endOf, isNote, isPast, isState, isTitle, stateAmong, stateIn } from './states.ts'
import type { Place } from './walk.ts'

// A report may hold the states of many things. These are its own.

/** What a state is told of besides the report itself: what it is wrapped in, what is watched, and what was run. */
const isStated = nameTest(
  /^(?:data|payload|body|event|details?|message|record|report|result|object|attributes|fields|properties|notifications?|content|params|inputs?|resource|target|current(?:state)?|new(?:state)?|state|status|errors?|exception|essentials|alertdata|alarmdata|customdetails)$|(?:alert|alarm|incident|issue|problem|monitor|check|probe|sensor|heartbeat|outage|trigger|rule|condition|transition|service|host|server|site|node|component|job|task|build|run|test|suite|pipeline|workflow|deploy(?:ment)?|release|step|stage|execution|sync|backup|scan|export|import)(?:s|event|info|status|result)?$/,
)

/** `order_status`: people deal with these, and nobody watches them. */
const isDealing = nameTest(
  /^(?:order|payment|invoice|delivery|shipment|shipping|booking|reservation|subscription|account|user|customer|member|cart|product|connection|network|battery)(?:state|status)$/,
)

const isOwn = ({ key, depth, owner }: Place): boolean => (depth < 2 ? !isDealing(key) : isStated(owner))

/**
 * What a report says of its own state. The state of an order, of labels or of a person is none of it; nor is that of
 * each entry of a list, where the report itself says something.
 */
export const ownStateIn = (places: readonly Place[], message: unknown): State | null => {
  const state = stateIn(places)
  if (state === null || state === 'bad') return state
  const isSaid = places.some(({ value, isListed }) => !isListed && typeof value === 'string' && value === message)
  return stateAmong(places.filter((place) => isOwn(place) && !(place.isListed && isSaid)))
}

const overAlone = /^(?:auto[- ]?)?(?:resolved|recovered|recovery|restored|cleared|solved)$/i
/** Said of an alarm these mean the same. */
const overOfWatched = /^(?:resolve|close|closed|ok|ignored|muted|snoozed|archived)$/i
const overOfAlarm =
  /(?:alert|alarm|incident|issue|problem|monitor|check|probe|outage|downtime|service|host|site)s?[^a-z]{1,3}(?:is |was )?(?:resolved|recovered|recovery|restored|cleared|closed|up|ok|online|healthy)$/i
const isAlarm = nameTest(
  /^(?:alert|alarm|incident|issue|problem|outage|monitor|check|probe|err|error|exception|fault)(?:info|data|details?|group)?$/,
)
/** By these alarms are found again. */
const isAlarmKey = nameTest(/^(?:dedup(?:lication)?|routing|incident|alert)key$|^(?:alias|entityid)$/)

/** Whether a report says in clear words that what it tells of is over. */
export const isSurelyOver = (places: readonly Place[]): boolean => {
  const isKeyed = places.some(({ key, depth }) => depth === 1 && isAlarmKey(key))
  return places.some((place) => saysOver(place, isKeyed))
}

const saysOver = ({ key, owner, value, depth, isListed }: Place, isKeyed: boolean): boolean => {
  if (isListed || typeof value !== 'string' || isPast(key)) return false
  const text = value.trim()
  if (isTitle(key)) return stateOfTitle(text) === 'resolved'
  if (depth === 1 && endOf(key)) return text !== ''
  if (!isState(key) && !isNote(key)) return false
  const isOfAlarm = isKeyed || isAlarm(owner)
  return (
    overOfAlarm.test(text) ||
    (isOfAlarm && overOfWatched.test(text)) ||
    (overAlone.test(text) && (isOfAlarm || (isState(key) && depth === 1)))
  )
}
