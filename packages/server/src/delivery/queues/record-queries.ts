import { sql } from 'kysely'
import { type Micros, microsPerHour } from '../../core/clock.ts'
import { forEachRow } from '../../store/prepared.ts'
import type { Store } from '../../store/store.ts'
import type { DeliveryState } from '../table.ts'

/** One attempt and the resulting state of its delivery. */
export interface AttemptRow {
  readonly workspace_id: number
  readonly delivery_id: number
  readonly number: number
  readonly started_at: Micros
  readonly duration_ms: number
  readonly outcome: string
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
  readonly ip: string | null
  readonly state: DeliveryState
  readonly next_attempt_at: Micros
  readonly finished_at: Micros | null
}

const attemptColumns = {
  workspace_id: 'bigint',
  delivery_id: 'bigint',
  number: 'bigint',
  started_at: 'bigint',
  duration_ms: 'bigint',
  outcome: 'text',
  status: 'bigint',
  error: 'text',
  response: 'text',
  ip: 'text',
} as const

const columns = {
  ...attemptColumns,
  state: 'text',
  next_attempt_at: 'bigint',
  finished_at: 'bigint',
} as const satisfies Record<keyof AttemptRow, string>

const attemptColumnNames = Object.keys(attemptColumns) as (keyof typeof attemptColumns)[] // Object.keys loses the literal types

const insertAttempts = forEachRow<AttemptRow>(
  columns,
  ({ of, from }) => sql`insert into delivery_attempts (${sql.join(attemptColumnNames.map((name) => sql.ref(name)))})
    select ${sql.join(attemptColumnNames.map(of))} ${from}`,
)

const updateDeliveries = forEachRow<AttemptRow>(
  columns,
  ({
    of,
    from,
    inWorkspaces,
  }) => sql`update deliveries set attempt_class = 1, attempts = ${of('number')}, state = ${of('state')},
      error = ${of('error')}, next_attempt_at = ${of('next_attempt_at')}, finished_at = ${of('finished_at')}
    ${from} where ${inWorkspaces('deliveries.workspace_id')} and deliveries.workspace_id = ${of('workspace_id')}
      and deliveries.id = ${of('delivery_id')}
      and deliveries.state = 'pending'
      and deliveries.attempts = ${of('number')} - 1`,
)

/** Counts the deliveries that `updateDeliveries` changes: the first failure, and a success, which ends it. */
const countOutcomes = forEachRow<AttemptRow>(
  columns,
  ({
    of,
    from,
    inWorkspaces,
  }) => sql`insert into delivery_counts (workspace_id, subscription_id, hour, succeeded, failed)
    select deliveries.workspace_id, subscription_id, deliveries.created_at / ${sql.lit(microsPerHour)} as hour,
      sum(case when recorded.state = 'succeeded' then 1 else 0 end),
      sum(case when recorded.state = 'succeeded' then (case when number > 1 then -1 else 0 end)
        when number = 1 then 1 else 0 end)
    from (select cast(${of('workspace_id')} as bigint) as workspace_id, cast(${of('delivery_id')} as bigint) as delivery_id,
        cast(${of('number')} as bigint) as number, cast(${of('state')} as text) as state ${from}) as recorded
      join deliveries on deliveries.id = recorded.delivery_id and deliveries.workspace_id = recorded.workspace_id
    where ${inWorkspaces('deliveries.workspace_id')}
      and deliveries.state = 'pending' and deliveries.attempts = recorded.number - 1
    group by 1, 2, 3
    on conflict (workspace_id, hour, subscription_id) do update set
      succeeded = delivery_counts.succeeded + excluded.succeeded, failed = delivery_counts.failed + excluded.failed`,
)

/**
 * Logs attempts and updates their deliveries. It skips a delivery that another worker has updated since, for example
 * after this worker's lease expired.
 */
export async function recordAttempts(store: Store, attempts: readonly AttemptRow[]): Promise<void> {
  await insertAttempts(store, attempts)
  await countOutcomes(store, attempts)
  await updateDeliveries(store, attempts)
}
