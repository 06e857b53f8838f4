import { conflict } from '../core/errors.ts'
import type { Db } from './database.ts'

/** Whether a statement violated a unique index. */
export function isUniqueViolation(fault: unknown): boolean {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === '23505'
}

/** Waits for a change. If it violates a unique index, throws a conflict. */
export async function refuseDuplicate<Result>(change: Promise<Result>, refusal: string): Promise<Result> {
  try {
    return await change
  } catch (fault) {
    throw isUniqueViolation(fault) ? conflict(refusal) : fault
  }
}

/** Whether a statement would have deleted rows that other rows refer to. */
function isForeignKeyViolation(fault: unknown): boolean {
  const code = fault instanceof Error && 'code' in fault ? fault.code : undefined
  return code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === '23503'
}

type DeletableTable = 'accounts' | 'channels' | 'deals' | 'devices' | 'employees' | 'tasks'

interface RowToDelete {
  readonly table: DeletableTable
  readonly workspaceId: number
  readonly id: number
  readonly refusal: string
}

/** Deletes a row of a workspace; returns whether it existed. If other rows refer to it, throws a conflict. */
export async function deleteRow(db: Db, { table, workspaceId, id, refusal }: RowToDelete): Promise<boolean> {
  try {
    const deleted = await db
      .deleteFrom(table as 'deals') // all tables here have these two columns
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returning('id')
      .execute()
    return deleted.length > 0
  } catch (fault) {
    throw isForeignKeyViolation(fault) ? conflict(refusal) : fault
  }
}
