import type { Micros } from '../../core/clock.ts'
import type { Db } from '../../store/database.ts'

type Mark = 'backup-begun' | 'backup-finished'

export const findMark = async (db: Db, name: Mark): Promise<Micros | undefined> =>
  (await db.selectFrom('operation_marks').select('at').where('name', '=', name).executeTakeFirst())?.at

export const setMark = (db: Db, name: Mark, at: Micros) =>
  db
    .insertInto('operation_marks')
    .values({ name, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
    .execute()

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
