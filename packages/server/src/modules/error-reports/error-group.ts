import type { ErrorRecord } from '@service/intake/errors/record'
import { formatInstant } from '../../core/instants.ts'
import type { GroupRow } from './queries.ts'

/** An error as lists show it. */
export const toErrorGroup = ({ workspace_id: _, first_seen_at, last_seen_at, sample, ...row }: GroupRow) => ({
  ...row,
  first_seen_at: formatInstant(first_seen_at),
  last_seen_at: formatInstant(last_seen_at),
  sample: JSON.parse(sample) as ErrorRecord, // written by recordOne only
})
