import type { Verb } from './verb.ts'
import { clockVerbs } from './verbs/clock.ts'
import { dataVerbs } from './verbs/data.ts'
import { faultVerbs } from './verbs/faults.ts'
import { forkVerbs } from './verbs/forks.ts'
import { journalVerbs } from './verbs/journal.ts'
import { stateVerbs } from './verbs/state.ts'
import { switchVerbs } from './verbs/switches.ts'
import { webhookVerbs } from './verbs/webhooks.ts'

/** Everything a test in another language can do, one line per file. */
export const verbs: readonly Verb[] = [
  ...stateVerbs,
  ...forkVerbs,
  ...clockVerbs,
  ...dataVerbs,
  ...faultVerbs,
  ...journalVerbs,
  ...webhookVerbs,
  ...switchVerbs,
]
