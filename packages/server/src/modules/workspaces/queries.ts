import type { Db } from '../../store/database.ts'

const columns = ['id', 'name', 'time_zone', 'created_at'] as const

export const insertWorkspace = (db: Db, row: { name: string; time_zone: string; created_at: number }) =>
  db.insertInto('workspaces').values(row).returning(columns).executeTakeFirstOrThrow()

export const findWorkspace = (db: Db, id: number) =>
  db.selectFrom('workspaces').select(columns).where('id', '=', id).executeTakeFirst()

export const listWorkspaces = (db: Db) => db.selectFrom('workspaces').select(columns).orderBy('id').execute()
