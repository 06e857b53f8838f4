import { toText } from '../json.ts'
import { describesFailure } from './failure-words.ts'

// Words for states: alone, in constants, and in titles.

/** `resolved` implies an earlier problem; `ok` and `completed` do not. */
export type State = 'resolved' | 'fine' | 'going on' | 'bad'
/** `ended` without a result, such as `build.finished`. */
export type Word = State | 'ended'

const words: readonly (readonly [Word, RegExp])[] = [
  ['ended', /^(?:completed?|finish(?:ed)?|done|end(?:ed)?)$/],
  [
    'resolved',
    /^(?:resolved?|resolves|recover(?:ed|s|y)?|closed?|restored|clear(?:ed)?|fixed|solved|deactivated|inactive|reconnected|subsided|mitigated)$/,
  ],
  [
    'fine',
    /^(?:ok|okay|up|normal|healthy|success|successful|successfully|succeed(?:ed)?|pass(?:ed|ing)?|online|green|good|stable|reachable|operational|connected|deployed|available|returned|delivered|fulfilled|approved|paid|published|ready|synced|applied)$/,
  ],
  [
    'going on',
    /^(?:start(?:s|ed|ing)?|begin|began|begun|running|scheduled|queued|pending|activated|inprogress|waiting|retrying|acknowledged|ack|acked|acknowledgement|acknowledge|assigned|reassigned|unassigned|snoozed|silenced|muted|unmuted|paused|monitoring|upcoming|cancell?ed|skipped|annotated|commented|maintenance|building|deploying|suppressed|enqueued|delegated|processing|escalated|ignored|archived|dismissed|undermaintenance)$/,
  ],
  [
    'bad',
    /^(?:fail|fail(?:ed|ing|ure|ures)|errored|error|errors|down|fir(?:ing|ed)|triggered|alerting|alarm|critical|crit|broken|crashed|unhealthy|offline|problem|degraded|timeout|timedout|unreachable|notok|red|unstable|outage|dead|killed|oomkilled|expired|rejected|denied|declined|violated|breached|exceeded|missing|warning|warn|reopened|regression|regressed|unresolved|notresolved|missed|overdue|exhausted|stuck|stalled|bounced|disconnected|lost|evicted|unavailable|unsuccessful|faulted|investigating|identified|expiration|expiring|expires|expiry)$/,
  ],
]

/** Words that only name the type of an event under `type` or `event`. */
export const eventNouns =
  /^(?:alarm|error|errors|problem|warning|warn|critical|crit|missing|regression|good|green|ready|pass|maintenance|monitoring|available)$/

/** Ordinary application events, such as `order.created`. */
export const ordinaryEvents =
  /^(?:created?|updated?|added|removed|deleted|view(?:ed)?|click(?:ed)?|placed|registered|subscribed|received|sent|submitted|uploaded|installed)$/

export const alarmNouns = /^(?:alert|alarm|problem|incident)$/
export const maxWords = 4

/** Steps of a person's work. They also name permanent tasks: `real_origin_monitoring`. */
export const workSteps = /^(?:monitoring|identified|investigating|maintenance|building|deploying|processing|retrying)$/
/** A triggered alarm is bad; a triggered build has only started. */
const triggeredWork =
  /(?:build|job|run|pipeline|deploy\w{0,10}|workflow|task|backup|sync|execution)[^a-z]{1,3}(?:triggered|created)$/i

/** A periodic report arrived. */
const reportsAgain = /^(?:check_?in|snitch|heartbeat|monitor|sensor|device|agent|host)[^a-z]{1,3}reporting$|^reporting$/

/** A problem starts. */
export const problemStarted =
  /(?:incident|alert|alarm|outage|downtime|problem|violation)s?(?:[^a-z](?:state|event|v\d{1,2})){0,2}[^a-z]{1,3}(?:published|start|started|began|begun|opened|created|activated)$/

/** States of two words, such as `timed_out` and `IN_PROGRESS`. */
const pair =
  /(?:^|[^a-z])(timed|in|not|un|oom|inpro|under)[_\s-](out|progress|ok|killed|resolved|maintenance)[^a-z]{0,3}$/i

export const stateOfWord = (word: string): Word | null => words.find(([, pattern]) => pattern.test(word))?.[0] ?? null

/** `failed` alone is a state, not a sentence. */
export const isBareState = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 20 && stateOfWord(value.toLowerCase()) !== null

const maxStateLength = 80

/** `ALERT_NOTIFICATION_CLEAR`, `incident.resolved`, `DOWN -> UP`: the last word is the state. */
export const stateWord = (value: unknown): string => {
  const text = (toText(value)?.trim() ?? '').replace(/[^a-z]?(?:notification|webhook)$/i, '')
  if (text.length > maxStateLength) return ''
  const [, one = '', two = ''] = pair.exec(text) ?? []
  if (one !== '') return `${one}${two}`.toLowerCase()
  return (/([A-Za-z]{2,20})[^A-Za-z]{0,3}$/.exec(text.replace(/([a-z])(?=[A-Z])/g, '$1 '))?.[1] ?? '').toLowerCase()
}

/** `FIRING_TO_OK`: a transition. */
const wentWell = /(?:firing|alarm|down|critical|error|bad)[^a-z]{1,4}to[^a-z]{1,4}(?:ok|up|normal|healthy)$/

/** `POLICY_CLOSE_CRITICAL`: what has ended, with its severity. */
const closedPolicy = /^policy_(?:close|cancell?ed)_[a-z]{2,20}$/

/** States of several words. */
export const statePhrases: readonly (readonly [RegExp, State])[] = [
  [triggeredWork, 'going on'],
  [problemStarted, 'bad'],
  [reportsAgain, 'fine'],
  [/^(?:resolved|recovered|cleared)/, 'resolved'],
  [wentWell, 'resolved'],
  [closedPolicy, 'resolved'],
]

/** `Resolved: disk is full`, `[OK] disk`, `✅ shop`. */
const resolvedHead =
  /^\s{0,4}(?:\[[^[\]]{1,80}\] ?)?(?:[[(*]{0,3}(?:(?:manually |auto-?)?(?:resolved|recovered|recover|recovery|cleared|closed|ok|up|fixed)|\w{2,20} is (?:now |back )?up)(?: in [^:]{1,20})?(?:\]|\)|:|\*|(?<=re[a-z]{6,7}|cleared) -| \||(?<=resolved|closed) (?:by|via) )|\[?(?:\u2705|\u{1F7E2}|\u{1F49A}))/iu
/** `shop is back up`, `… recovered`; not `could not be recovered`. */
const resolvedEnd =
  /\b(?:back to normal|is (?:now |again )?(?:back )?(?:up|online|operational)(?: again)?(?: on [\w.-]{1,60})?|is (?:now |again )?(?:ok(?:ay)?|healthy)(?: again)?(?: on [\w.-]{1,60})?|connection succeeded|(?:has|have|was|is|been|are) (?:recovered|resolved|restored|cleared|fixed)|recovered|no longer [a-z]{3,12})[.!\s]{0,3}$|\bended \(now: (?:up|ok)\)|\b(?:recovered from|back online|has been cleared|returned to normal)\b|(?:behoben|wiederhergestellt|wieder (?:erreichbar|online|verfügbar|da|ok)|antwortet wieder|résolue?s?|rétablie?s?|resuelt[oa]s?|restablecid[oa]s?|risolt[oa]|resolvid[oa]|restaurad[oa])[.!\s]{0,3}$/i
/** `db1/CPU CRIT -> OK` */
const turnedWell =
  /\b(?:crit(?:ical)?|warn(?:ing)?|unknown|unreach(?:able)?|down|problem|firing|alerting|alarm)\s?(?:->|→|=>)\s?(?:ok|up|normal)\b/i
/** `RESOLVED disk is full` */
const shoutedHead = /^(?::[a-z_]{2,30}:|[^\w:]){0,6}(?:RESOLVED|RECOVERED|RECOVERY|CLEARED)\b/u
const denial = /\b(?:not|never|cannot|unable|nothing|no)\b|n't\b/i

/** `online` and `OK` alone. */
const wellTitle =
  /^(?:ok|up|success|online|healthy|recovered|resolved|restored|back online)[.!]?$|(?<!\bnot )\b(?:finish|complet|end)ed successfully\. [A-Z]|\b(?:(?<!\bnot )(?:finish|complet|end|succeed)ed (?:successfully|ok)|all (?:systems|services|checks) (?:are )?(?:operational|ok|up|fine)|(?:backup|job|task|sync|deploy(?:ment)?|scan|run)\b.{0,80}\b(?:succeeded|completed|finished))[.!\s]{0,3}$/i
/** `Triggered: disk is full`, `[FIRING:1] disk`, `❌ shop`. */
const firingTitle =
  /^(?:\[(?:firing|triggered|alerting|problem|down)\b[^\]]{0,80}\]|(?:firing|triggered|alerting|problem):|(?:\[[^[\]]{1,80}\] ?)?\[?(?:\u274C|\u{1F534}|\u{1F6A8}))/iu
/** `** PROBLEM Service Alert: …` */
const shoutedProblem = /^[^\w:]{0,6}PROBLEM\b/u
const maxTitleLength = 300

/** `no longer` means that a problem is over. */
const isDenied = (line: string): boolean => denial.test(line.replace(/\bno longer\b/i, ''))

/** The name of the sender may stand above: `nas1`, `The following alert has been cleared:`. */
export const stateOfTitle = (title: string): State | null => {
  const lines = title
    .slice(0, maxTitleLength)
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return stateOfLine(lines[0] ?? '') ?? (lines[1]?.endsWith(':') ? stateOfLine(lines[1].slice(0, -1)) : null)
}

const stateOfLine = (line: string): State | null => {
  if (
    resolvedHead.test(line) ||
    turnedWell.test(line) ||
    ((shoutedHead.test(line) || resolvedEnd.test(line)) && !isDenied(line))
  )
    return 'resolved'
  if (wellTitle.test(line) && !describesFailure(line)) return 'fine'
  return firingTitle.test(line) || shoutedProblem.test(line) ? 'bad' : null
}
