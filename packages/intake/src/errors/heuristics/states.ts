import { textOf } from '../json.ts'
import type { Place } from './walk.ts'

// What a sender says has become of something: it failed, it goes on, it is well again.

/** `resolved` is only said of what was wrong; `ok` and `completed` also of what never was. */
export type State = 'resolved' | 'fine' | 'going on' | 'bad'

const words: readonly (readonly [State, RegExp])[] = [
  [
    'resolved',
    /^(?:resolved?|resolves|recover(?:ed|s|y)|closed?|restored|clear(?:ed)?|fixed|solved|deactivated|inactive|reconnected|subsided|mitigated)$/,
  ],
  [
    'fine',
    /^(?:ok|okay|up|normal|healthy|success|successful|successfully|succeed(?:ed)?|pass(?:ed|ing)?|online|green|good|stable|reachable|operational|completed?|finished|done|connected|deployed|available|ended|returned|delivered|fulfilled|approved|paid|published|ready|synced)$/,
  ],
  [
    'going on',
    /^(?:started|starting|running|scheduled|queued|pending|activated|inprogress|waiting|retrying|acknowledged|ack|acked|acknowledgement|acknowledge|assigned|reassigned|unassigned|snoozed|silenced|muted|unmuted|paused|investigating|identified|monitoring|cancell?ed|skipped|annotated|commented|maintenance|building|deploying|suppressed|enqueued|delegated|processing|escalated)$/,
  ],
  [
    'bad',
    /^(?:fail|fail(?:ed|ing|ure|ures)|errored|error|errors|down|fir(?:ing|ed)|triggered|alerting|alarm|critical|crit|broken|crashed|unhealthy|offline|problem|degraded|timeout|timedout|unreachable|notok|red|unstable|outage|dead|killed|oomkilled|expired|rejected|denied|declined|violated|breached|exceeded|missing|warning|warn|reopened|regression|regressed|unresolved|notresolved|missed|overdue|exhausted|stuck|stalled|bounced|disconnected|lost|evicted|unavailable|unsuccessful|faulted)$/,
  ],
]

/** What only names the kind of a note when it stands under `type` or `event`. */
const nouns =
  /^(?:alarm|error|errors|problem|warning|warn|critical|crit|missing|regression|good|green|ready|pass|maintenance|monitoring|available)$/

/** `timed_out` and `IN_PROGRESS` are of two words. */
const pair = /(?:^|[^a-z])(timed|in|not|un|oom|inpro)[_\s-](out|progress|ok|killed|resolved)[^a-z]{0,3}$/i

const judge = (word: string): State | null => words.find(([, pattern]) => pattern.test(word))?.[0] ?? null

const longestState = 80

/** `ALERT_NOTIFICATION_CLEAR`, `incident.resolved`, `DOWN -> UP`: the last word is the state. */
const stateWord = (value: unknown): string => {
  const text = textOf(value)?.trim() ?? ''
  if (text.length > longestState) return ''
  const [, one = '', two = ''] = pair.exec(text) ?? []
  if (one !== '') return `${one}${two}`.toLowerCase()
  return (/([A-Za-z]{2,20})[^A-Za-z]{0,3}$/.exec(text.replace(/([a-z])(?=[A-Z])/g, '$1 '))?.[1] ?? '').toLowerCase()
}

const isState =
  /^(?:(?:current|new|to|alert|monitor|incident|event|check|job|build|run|task|deployment|deploy|pipeline|service|component|overall|final|trigger|problem|workflow|backup|test|payment|sync|report|health|host|issue|execution)?(?:state|status|health|outcome|result|conclusion)(?:name|text|label|type|value|extended)?|newstatevalue|phase)$/
const isNote =
  /^(?:clear|transition|action|event|eventtype|eventname|type|alerttype|notificationtype|messagetype|trigger|triggertype|kind|topic|subtype|change|webhookevent|notification|eventkind|reason)$/
const goodFlags = /^(?:is|was)?(?:fixed|resolved|recovered|cleared|success|succeeded|ok|up|healthy|passed|online)$/
const badFlags = /^(?:is|was)?(?:down|failed|failing|firing|error|errored|broken|offline)$/
const endOf = /^(?:resolved|recovered|cleared|closed)(?:at|on|date|time)$/

const stateOfFlag = ({ key, value }: Place): State | null => {
  if (typeof value !== 'boolean') return endOf.test(key) && textOf(value) !== null ? 'resolved' : null
  if (goodFlags.test(key))
    return value ? (/success|ok|passed|up$|online|healthy/.test(key) ? 'fine' : 'resolved') : 'bad'
  return badFlags.test(key) ? (value ? 'bad' : 'fine') : null
}

const isTitle = /^(?:title|subject|headline|name|message|msg|text|summary|alertname|messagetitle|shortmessage)$/
/** `Resolved: disk is full`, `[OK] disk`, `✅ shop`; `shop is back up`, `… recovered`. */
const resolvedTitle =
  /^\s{0,4}(?:[[(*]{0,3}(?:manually |auto-?)?(?:resolved|recovered|recovery|cleared|closed|ok|up|fixed)(?:\]|\)|:|\*| -| \|)|\u2705|\u{1F7E2}|\u{1F49A})|\b(?:back to normal|is (?:back )?(?:up|online|operational)(?: again)?|is ok(?:ay)?|(?:has|have|was|is|been|are) (?:recovered|resolved|restored|cleared|fixed)|recovered|no longer [a-z]{3,12})[.!\s]{0,3}$/iu

type Said = { readonly state: State; readonly isState: boolean; readonly depth: number }

const furthest = 3

const saidBy = (place: Place): Said | null => {
  const { key, value, depth } = place
  if (isState.test(key) || isNote.test(key)) {
    const isNamed = isState.test(key)
    const word = stateWord(value)
    const isKind = !isNamed && nouns.test(textOf(value)?.trim().toLowerCase() ?? '')
    const state = isKind ? null : judge(word)
    return state === null ? null : { state, isState: isNamed, depth }
  }
  const state =
    isTitle.test(key) && typeof value === 'string' && resolvedTitle.test(value.slice(0, 300).split('\n', 1).join(''))
      ? 'resolved'
      : stateOfFlag(place)
  return state === null ? null : { state, isState: false, depth }
}

/**
 * What a report says of its own state, or null. Who says that something is resolved means it, whatever stands beside:
 * the state that it had is often repeated. What is fine or goes on must not be called bad by a state.
 */
export const stateIn = (places: readonly Place[]): State | null => {
  const said = places
    .filter(({ depth, isListed }) => depth <= furthest && !isListed)
    .map(saidBy)
    .filter((one) => one !== null)
  if (said.some(({ state }) => state === 'resolved')) return 'resolved'
  for (const isNamed of [true, false]) {
    const states = said.filter((one) => one.isState === isNamed).sort((one, other) => one.depth - other.depth)
    const first = states.find(({ state }) => state === 'bad') ?? states[0]
    if (first !== undefined && (isNamed || !said.some(({ state }) => state === 'bad'))) return first.state
    if (first !== undefined) return 'bad'
  }
  return null
}
