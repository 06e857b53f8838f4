import type { Migration } from '../migrate.ts'
import { foundation } from './0001-foundation.ts'
import { inbound } from './0002-inbound.ts'
import { messages } from './0004-messages.ts'

/** In order; never edited after a release, only added to. */
export const migrations: readonly Migration[] = [foundation, inbound, messages]
