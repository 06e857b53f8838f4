import { OpenError } from './open-error.ts'
import { codeOf, describeAnswer, hostOf } from './postgres-faults.ts'
import type { RunStatement } from './store.ts'

/** A table that does not belong to the user of the database URL. */
interface ForeignTable {
  readonly table: string
  readonly owner: string
  readonly user: string
  readonly isWritable: boolean
}

/**
 * PostgreSQL: the platform migrates its tables, which only their owner may do. A dump may give them to another user. Tables
 * of extensions are left out.
 */
async function findForeignTables(run: RunStatement): Promise<ForeignTable[]> {
  const rows = await run(`select relname as "table", pg_get_userbyid(relowner) as owner, current_user as "user",
      has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete') as "isWritable"
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not pg_has_role(relowner, 'usage')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname`)
  return rows.map(({ table, owner, user, isWritable }) => ({
    ...{ table: String(table), owner: String(owner), user: String(user) },
    isWritable: isWritable === true,
  }))
}

/** Why the user of the database URL may not write a table, with the remedy; undefined if it may write each. */
export async function describeDeniedWrites(run: RunStatement): Promise<string | undefined> {
  const denied = (await findForeignTables(run)).find(({ isWritable }) => !isWritable)
  return denied === undefined ? undefined : describeForeign(denied)
}

const describeForeign = ({ table, owner, user }: ForeignTable) =>
  `The table ${table} belongs to the user ${owner}, and ${user}, the user of the database URL, may not change it. Use a URL with the user ${owner}, or give each table to ${user} ("alter table ${table} owner to ${user}"). A dump is restored for ${user} with "pg_restore --no-owner --role ${user}".`

/** Missing rights, with the remedy. Other failures pass through. */
export async function explainRights(failure: unknown, url: string, run: RunStatement): Promise<unknown> {
  if (!['42501', '3F000'].includes(codeOf(failure))) return failure
  const [foreign] = await findForeignTables(run).catch(() => [])
  // Since version 15, only the owner of a database may create tables in it.
  const sentence =
    foreign === undefined
      ? `The user of the database URL may not create tables at ${hostOf(url)}. Make it the owner of the database ("alter database <name> owner to <user>"), or name a schema that it may use in search_path.`
      : describeForeign(foreign)
  return new OpenError(sentence + describeAnswer(failure))
}
