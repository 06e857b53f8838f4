import { schema } from './0001-schema.ts'
import { inboundMapping } from './0002-inbound-mapping.ts'
import type { Migration } from './migration.ts'

/** In order; never edited after a release, only added to. */
export const migrations: readonly Migration[] = [schema, inboundMapping]
