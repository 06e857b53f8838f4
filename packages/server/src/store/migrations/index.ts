import type { Migration } from '../migrate.ts'
import { foundation } from './0001-foundation.ts'

/** In order; never edited after a release, only added to. */
export const migrations: readonly Migration[] = [foundation]
