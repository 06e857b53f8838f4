import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'

/**
 * Of scheduled backups: when the last attempt began, when its process last said that it is working on it, when the first
 * attempt after a success began, and when the last success began. `backup-finished` is also set by other backups.
 */
export type Mark = 'backup-begun' | 'backup-running' | 'backup-failing' | 'backup-succeeded' | 'backup-finished'

export type Marks = Readonly<Partial<Record<Mark, Micros>>>

export async function findMarks(db: Db): Promise<Marks> {
  const rows = await db.selectFrom('operation_marks').select(['name', 'at']).execute()
  return Object.fromEntries(rows.map(({ name, at }) => [name, at]))
}

export const setMark = (db: Db, name: Mark, at: Micros) =>
  db
    .insertInto('operation_marks')
    .values({ name, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
    .execute()

export const removeMarks = (db: Db, names: readonly Mark[]) =>
  db.deleteFrom('operation_marks').where('name', 'in', names).execute()

/** Compare-and-set: moves the mark unless another process has done so. Returns whether it moved. */
export async function moveMark(db: Db, name: Mark, { from, to }: { from: Micros | undefined; to: Micros }) {
  if (from === undefined) {
    const { numInsertedOrUpdatedRows: inserted } = await db
      .insertInto('operation_marks')
      .values({ name, at: to })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    return inserted === 1n
  }
  const { numUpdatedRows: updated } = await db
    .updateTable('operation_marks')
    .set({ at: to })
    .where('name', '=', name)
    .where('at', '=', from)
    .executeTakeFirst()
  return updated === 1n
}
