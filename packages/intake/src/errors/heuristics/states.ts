import { textOf } from '../json.ts'
import { nameTest, remembered } from '../remembered.ts'
import { oncePerReport } from './rank.ts'
import type { Place } from './walk.ts'

// What a sender says has become of something: it failed, it goes on, it is well again.

/** `resolved` is only said of what was wrong; `ok` and `completed` also of what never was. */
export type State = 'resolved' | 'fine' | 'going on' | 'bad'
/** `build.finished` does not say how. */
type Word = State | 'ended'

const words: readonly (readonly [Word, RegExp])[] = [
  ['ended', /^(?:completed?|finish(?:ed)?|done|end(?:ed)?)$/],
  [
    'resolved',
    /^(?:resolved?|resolves|recover(?:ed|s|y)|closed?|restored|clear(?:ed)?|fixed|solved|deactivated|inactive|reconnected|subsided|mitigated)$/,
  ],
  [
    'fine',
    /^(?:ok|okay|up|normal|healthy|success|successful|successfully|succeed(?:ed)?|pass(?:ed|ing)?|online|green|good|stable|reachable|operational|connected|deployed|available|returned|delivered|fulfilled|approved|paid|published|ready|synced|applied)$/,
  ],
  [
    'going on',
    /^(?:start(?:s|ed|ing)?|begin|began|begun|running|scheduled|queued|pending|activated|inprogress|waiting|retrying|acknowledged|ack|acked|acknowledgement|acknowledge|assigned|reassigned|unassigned|snoozed|silenced|muted|unmuted|paused|investigating|identified|monitoring|upcoming|cancell?ed|skipped|annotated|commented|maintenance|building|deploying|suppressed|enqueued|delegated|processing|escalated|ignored|archived|dismissed|undermaintenance)$/,
  ],
  [
    'bad',
    /^(?:fail|fail(?:ed|ing|ure|ures)|errored|error|errors|down|fir(?:ing|ed)|triggered|alerting|alarm|critical|crit|broken|crashed|unhealthy|offline|problem|degraded|timeout|timedout|unreachable|notok|red|unstable|outage|dead|killed|oomkilled|expired|rejected|denied|declined|violated|breached|exceeded|missing|warning|warn|reopened|regression|regressed|unresolved|notresolved|missed|overdue|exhausted|stuck|stalled|bounced|disconnected|lost|evicted|unavailable|unsuccessful|faulted|expiration|expiring|expires|expiry)$/,
  ],
]

/** What only names the kind of a note when it stands under `type` or `event`. */
const nouns =
  /^(?:alarm|error|errors|problem|warning|warn|critical|crit|missing|regression|good|green|ready|pass|maintenance|monitoring|available)$/

const alarms = /^(?:alert|alarm|problem|incident)$/
const mostWords = 4

/** Steps of somebody's work, which also name what is done all the time: `real_origin_monitoring`. */
const work = /^(?:monitoring|identified|investigating|maintenance|building|deploying|processing|retrying)$/
/** Whoever watches triggers an alarm; a build that was triggered has only begun. */
const triggeredWork =
  /(?:build|job|run|pipeline|deploy\w{0,10}|workflow|task|backup|sync|execution)[^a-z]{1,3}(?:triggered|created)$/i

/** What has to report again and again does so. */
const reportsAgain = /^(?:check_?in|snitch|heartbeat|monitor|sensor|device|agent|host)[^a-z]{1,3}reporting$|^reporting$/

/** What is bad by itself begins to be so. */
const begunTrouble =
  /(?:incident|alert|alarm|outage|downtime|problem|violation)[^a-z]{1,3}(?:started|began|begun|opened|created|activated)$/

/** `timed_out` and `IN_PROGRESS` are of two words. */
const pair =
  /(?:^|[^a-z])(timed|in|not|un|oom|inpro|under)[_\s-](out|progress|ok|killed|resolved|maintenance)[^a-z]{0,3}$/i

const judge = (word: string): Word | null => words.find(([, pattern]) => pattern.test(word))?.[0] ?? null

/** `failed` alone is a state and no sentence. */
export const isBareState = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 20 && judge(value.toLowerCase()) !== null

const longestState = 80

/** `ALERT_NOTIFICATION_CLEAR`, `incident.resolved`, `DOWN -> UP`: the last word is the state. */
const stateWord = (value: unknown): string => {
  const text = textOf(value)?.trim() ?? ''
  if (text.length > longestState) return ''
  const [, one = '', two = ''] = pair.exec(text) ?? []
  if (one !== '') return `${one}${two}`.toLowerCase()
  return (/([A-Za-z]{2,20})[^A-Za-z]{0,3}$/.exec(text.replace(/([a-z])(?=[A-Z])/g, '$1 '))?.[1] ?? '').toLowerCase()
}

const isState = nameTest(
  /(?:state|status|health|outcome|result|conclusion)(?:name|text|label|type|value|extended|string|message|reason)?$|^phase$/,
)
const isNote = nameTest(
  /(?:clear|transition|action|event|type|trigger|kind|topic|change|notification)(?:type|name|kind)?$/,
)
/** The state that it had before. */
const isPast = nameTest(/prev|former|^old|^from|^last|original|content|mime/)
const isSeverity = nameTest(
  /^(?:alert|event|problem|notification)?(?:severity|level|criticality)(?:name|text|label|string)?$/,
)
const saysSevereNoMore = /^(?:ok|okay|normal|resolved|recovered|recovery|clear|cleared)$/i

const goodFlags = nameTest(
  /^(?:state)?(?:is|was)?(?:fixed|resolved|recovered|cleared|success|succeeded|ok|up|healthy|passed|online)$/,
)
const badFlags = nameTest(/^(?:state)?(?:is|was)?(?:down|failed|failing|firing|error|errored|broken|offline)$/)
const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  ['1', true],
  [false, false],
  [0, false],
  ['false', false],
  ['0', false],
])
const endOf = nameTest(/^(?:resolved|recovered|cleared|closed)(?:at|on|date|time)$/)

/** What a program ended with. */
const isExitCode = nameTest(/^(?:exit|return)(?:code|status|value)$/)

const stateOfFlag = ({ key, value }: Place): State | null => {
  if (isExitCode(key) && /^-?\d{1,6}$/.test(textOf(value) ?? '')) return Number(value) === 0 ? 'fine' : 'bad'
  if (endOf(key) && typeof value === 'string' && value !== '') return 'resolved'
  const flag = flags.get(value)
  if (flag === undefined) return null
  if (badFlags(key)) return flag ? 'bad' : 'fine'
  if (!goodFlags(key)) return null
  if (!flag) return 'bad'
  return /success|succeeded|ok|passed|up$|online|healthy/.test(key) ? 'fine' : 'resolved'
}

const isTitle = nameTest(
  /^(?:title|subject|headline|name|message|msg|text|summary|alertname|messagetitle|shortmessage|logentry)$/,
)
/** `Resolved: disk is full`, `[OK] disk`, `✅ shop`. */
const resolvedHead =
  /^\s{0,4}(?:\[[A-Z ]{1,30}\] ?)?(?:[[(*]{0,3}(?:manually |auto-?)?(?:resolved|recovered|recovery|cleared|closed|ok|up|fixed)(?: in [^:]{1,20})?(?:\]|\)|:|\*| -| \||(?<=resolved|closed) (?:by|via) )|\u2705|\u{1F7E2}|\u{1F49A})/iu
/** `shop is back up`, `… recovered`; not `could not be recovered`. */
const resolvedEnd =
  /\b(?:back to normal|is (?:back )?(?:up|online|operational)(?: again)?|is ok(?:ay)?|(?:has|have|was|is|been|are) (?:recovered|resolved|restored|cleared|fixed)|recovered|no longer [a-z]{3,12})[.!\s]{0,3}$/i
const denial = /\b(?:not|never|cannot|unable|nothing|no)\b|n't\b/i

/** `online` and `OK` alone. */
const wellTitle = /^(?:ok|up|online|healthy|recovered|resolved|restored|back online)[.!]?$/i
/** `Triggered: disk is full`, `[FIRING:1] disk`. */
const firingTitle =
  /^(?:\[(?:firing|triggered|alerting|problem|down)\b[^\]]{0,80}\]|(?:firing|triggered|alerting|problem):)/i
const longestTitle = 300

/** Some say under the kind of the alarm how bad it is. */
const isAlarmType = nameTest(/^(?:alert|trigger|message|notification|incident)type$/)
const ranks = /^(?:critical|crit|warning|warn|emergency|fatal|error|high|major)$/

/** `FIRING_TO_OK`: where it came from and where it came to. */
const wentWell = /(?:firing|alarm|down|critical|error|bad)[^a-z]{1,4}to[^a-z]{1,4}(?:ok|up|normal|healthy)$/

/** What several words say together. */
const phrases: readonly (readonly [RegExp, State])[] = [
  [triggeredWork, 'going on'],
  [begunTrouble, 'bad'],
  [reportsAgain, 'fine'],
  [/^(?:resolved|recovered|cleared)/, 'resolved'],
  [wentWell, 'resolved'],
]

const stateNamed = ({ key, value }: Place, isNamed: boolean): Word | null => {
  const text = textOf(value)?.trim().toLowerCase() ?? ''
  const word = stateWord(value)
  const said = phrases.find(([phrase]) => phrase.test(text))
  if (said !== undefined) return said[1]
  if (!isNamed && (alarms.test(text) || (isAlarmType(key) && ranks.test(text)))) return 'bad'
  if (!isNamed && (nouns.test(text) || text.split(' ').length > mostWords)) return null
  return work.test(word) && (!isNamed || word !== text) ? null : judge(word)
}

type Said = {
  readonly state: Word
  readonly isState: boolean
  readonly depth: number
  /** Whether it says that something bad begins. */
  readonly begins?: boolean
}

const furthest = 4

const saidBy = (place: Place): Said | null => {
  const { key, value, depth } = place
  if (isSeverity(key))
    return saysSevereNoMore.test(textOf(value)?.trim() ?? '') ? { state: 'resolved', isState: true, depth } : null
  const flagged = stateOfFlag(place)
  if (flagged !== null) return { state: flagged, isState: true, depth }
  const isNamed = isState(key)
  if (isNamed || isNote(key)) {
    const state = stateNamed(place, isNamed)
    const begins = state === 'bad' && begunTrouble.test(String(value).trim().toLowerCase())
    return state === null ? null : { state, isState: isNamed, depth, begins }
  }
  const state = isTitle(key) && typeof value === 'string' ? stateOfTitle(value) : null
  return state === null ? null : { state, isState: false, depth }
}

/** `no longer` ends what was wrong. */
const isDenied = (line: string): boolean => denial.test(line.replace(/\bno longer\b/i, ''))

const stateOfTitle = (title: string): State | null => {
  const line = title.slice(0, longestTitle).split('\n', 1).join('').trim()
  if (resolvedHead.test(line) || (resolvedEnd.test(line) && !isDenied(line))) return 'resolved'
  if (wellTitle.test(line)) return 'fine'
  return firingTitle.test(line) ? 'bad' : null
}

/**
 * What a report says of its own state, or null. Who says that something is resolved means it, whatever stands beside:
 * the state that it had is often repeated. Otherwise the word nearest to the top counts, a state before the kind of the
 * note, and the worst of several.
 */
export const stateIn = oncePerReport((places: readonly Place[]): State | null => stateAmong(places))

const stateAmong = (places: readonly Place[]): State | null => {
  const near = places.filter(({ depth, key }) => depth <= furthest && isTelling(key))
  const said = saidIn(near.filter(({ isListed }) => !isListed))
  // The entries of a list are asked only when nothing else tells.
  return judgeAll(said.length > 0 ? said : saidIn(near))
}

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
  return stateAmong(places.filter((place) => isOwn(place) && !(place.isListed && textOf(message) !== null)))
}

const overAlone = /^(?:auto[- ]?)?(?:resolved|recovered|recovery|restored|cleared|solved)$/i
const isError = nameTest(/^(?:err|error|exception|fault|issue)(?:info|data|details?)?$/)
const noLongerOpen = /^(?:resolved|recovered|closed|ignored|muted|snoozed|archived)$/i
const overOfAlarm =
  /(?:alert|alarm|incident|issue|problem|monitor|check|probe|outage|downtime|service|host|site)s?[^a-z]{1,3}(?:is |was )?(?:resolved|recovered|recovery|restored|cleared|closed|up|ok|online|healthy)$/i

/** Whether a report says in clear words that what it tells of is over. */
export const isSurelyOver = (places: readonly Place[]): boolean =>
  places.some(({ key, owner, value, depth, isListed }) => {
    if (isListed || typeof value !== 'string' || isPast(key)) return false
    const text = value.trim()
    if (isTitle(key)) return stateOfTitle(text) === 'resolved'
    if (isNote(key) && overOfAlarm.test(text)) return true
    return isState(key) && ((depth === 1 && overAlone.test(text)) || (isError(owner) && noLongerOpen.test(text)))
  })

const tests = [isSeverity, endOf, isState, isNote, goodFlags, badFlags, isTitle, isExitCode]
const isTelling = remembered((name) => !isPast(name) && tests.some((test) => test(name)))

const saidIn = (places: readonly Place[]): readonly Said[] => places.map(saidBy).filter((one) => one !== null)

const judgeAll = (said: readonly Said[]): State | null => {
  if (said.some(({ state }) => state === 'resolved')) return 'resolved'
  const telling = said.filter(({ state }) => state !== 'ended')
  if (telling.length === 0) return said.length === 0 ? null : 'fine'
  const nearest = Math.min(...telling.map(({ depth }) => depth))
  const near = telling.filter(({ depth }) => depth === nearest)
  const named = near.filter(({ isState }) => isState)
  const [first, ...others] = named.length > 0 ? named : near
  if (first === undefined || others.some(({ state }) => state === 'bad')) return 'bad'
  // An incident that has started goes on, and is bad all the same.
  if (first.state === 'going on' && near.some(({ begins }) => begins)) return 'bad'
  // A job that went well may have found something bad.
  const isBadBelow = first.state === 'fine' && telling.some(({ state, isState }) => state === 'bad' && isState)
  if (isBadBelow) return 'bad'
  return first.state === 'ended' ? 'fine' : first.state
}
