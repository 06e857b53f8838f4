import type { Verb } from './verb.ts'
import { clockVerbs } from './verbs/clock.ts'
import { stateVerbs } from './verbs/state.ts'

/** Everything a test in another language can do, one line per file. */
export const verbs: readonly Verb[] = [...stateVerbs, ...clockVerbs]
