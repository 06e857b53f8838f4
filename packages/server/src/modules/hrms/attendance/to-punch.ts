import type { Punch } from '@service/contract/admin/hrms'
import type { Selectable } from 'kysely'
import { formatInstant, formatInstantOrNull } from '../../../core/clock.ts'
import { toBoolean } from '../../../store/columns.ts'
import type { PunchesTable } from '../table.ts'

export function toPunch({ workspace_id: _, check_in_punch_id, ...row }: Selectable<PunchesTable>): Punch {
  return {
    ...row,
    at: formatInstant(row.at),
    received_at: formatInstant(row.received_at),
    orphan: toBoolean(row.orphan),
    session_id: check_in_punch_id,
    corrected: toBoolean(row.corrected),
    voided_at: formatInstantOrNull(row.voided_at),
  }
}
