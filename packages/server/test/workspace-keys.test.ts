import { loadModule } from 'libpg-query'
import { expect, test } from 'vitest'
import { crossings, instanceTables } from '../src/store/workspace-keys.ts'
import { onDisk, startWithTables } from './tables.ts'
import { faultsOf } from './workspace-statements.ts'

const instance = Object.keys(instanceTables)
const listed = instance.map((name) => `'${name}'`).join(', ')

test.each(onDisk)('on %s every table has a workspace, except the tables of the instance', async (store) => {
  const { tables } = await startWithTables(store)
  const columns = await tables.rows(
    store === 'sqlite'
      ? `select t.name as "table", c.name as "column" from pragma_table_list t, pragma_table_info(t.name) c
          where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%'
            and not (c.name = 'workspace_id' and c."notnull" = 0 and c.pk = 0)`
      : `select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = current_schema() and table_name not like 'citus_%'
            and not (column_name = 'workspace_id' and is_nullable = 'YES')`,
  )
  const all = new Set(columns.map(({ table }) => table))
  const ofWorkspaces = new Set(columns.flatMap(({ table, column }) => (column === 'workspace_id' ? [table] : [])))
  expect([...all].filter((table) => !ofWorkspaces.has(table) && !instance.includes(String(table)))).toEqual([])
  expect(instance.filter((table) => !all.has(table))).toEqual(store === 'sqlite' ? ['rate_limit_windows'] : [])
})

test('on PostgreSQL every key, unique index, and reference of workspace tables includes the workspace', async () => {
  const { tables } = await startWithTables('postgres')
  const hasWorkspace = (owner: string, columns: string) =>
    `exists (select 1 from pg_attribute where attrelid = ${owner} and attname = 'workspace_id' and attnum = any (${columns}))`
  const without = await tables.rows(`select indexrelid::regclass::text as name from pg_index
      where indisunique and indrelid::regclass::text not in (${listed}) and not ${hasWorkspace('indrelid', 'indkey')}
        and indrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')
    union all select conname from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = current_schema()::regnamespace
        and conrelid::regclass::text not in (${listed}) and confrelid::regclass::text not in (${listed})
        and not (${hasWorkspace('conrelid', 'conkey')} and ${hasWorkspace('confrelid', 'confkey')})`)
  expect(without).toEqual([])
  const keyless = await tables.rows(`select oid::regclass::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not in (${listed})
      and not exists (select 1 from pg_index where indrelid = pg_class.oid and indisprimary)`)
  expect(keyless).toEqual([])
})

const unnamed = (tables: string) => [`The workspace of ${tables} is not named`]
const mark = `/* across workspaces: ${Object.keys(crossings)[0]} */`

test.each<[string, string[]]>([
  ['select id from tickets where workspace_id = $1 and id = $2', []],
  ['select id from tickets where id = $1', unnamed('tickets')],
  ['select id from tickets where workspace_id = $1 or id = $2', unnamed('tickets')],
  ['select id from tickets where workspace_id = id', unnamed('tickets')],
  ['select id from tickets where workspace_id > $1', unnamed('tickets')],
  ['select id from tickets where (id, workspace_id) in (select 1, 2)', unnamed('tickets')],
  ['select id from tickets where workspace_id = any($1::bigint[]) and id = any($2)', []],
  [
    'select id from tickets where workspace_id in (select workspace_id from tasks where workspace_id = $1)',
    unnamed('tickets'),
  ],
  [
    'update tickets t set title = g.title from json_to_recordset($1) as g (workspace_id bigint) where t.workspace_id = g.workspace_id',
    unnamed('tickets'),
  ],
  [
    'with g as (select $1 as workspace_id) select 1 from tickets t, g where t.workspace_id = g.workspace_id',
    unnamed('tickets'),
  ],
  ['update tickets set title = $1 where id = $2', unnamed('tickets')],
  ['delete from tickets where id = $1', unnamed('tickets')],
  ['insert into tickets (title) values ($1)', unnamed('tickets')],
  ['insert into tickets (workspace_id, title) select 1, title from tickets', unnamed('tickets')],
  ['select 1 from tickets t join tasks k on k.ticket_id = t.id where t.workspace_id = $1', unnamed('tasks')],
  ['select 1 from tickets t join tasks k on k.workspace_id = t.workspace_id where t.workspace_id = $1', []],
  ['select 1 from tickets t join tasks k on k.workspace_id = t.workspace_id', unnamed('tasks and tickets')],
  ['select 1 from users where exists (select 1 from tickets where assigned_to = users.id)', unnamed('tickets')],
  ['select 1 from tickets t join workspaces w on w.id = t.workspace_id', unnamed('tickets')],
  ['with t as (select id from tickets) select 1 from t', unnamed('tickets')],
  ['select 1 where true union select id from tickets', unnamed('tickets')],
  [
    `select 1 from tickets t where workspace_id = $1
      and exists (select 1 from tasks k where k.workspace_id = t.workspace_id and k.ticket_id = t.id)`,
    [],
  ],
  [`select id from tickets ${mark}`, []],
  [`select id from tickets where workspace_id = $1 ${mark}`, ['The statement names its workspace and needs no mark']],
  [`select 1 from tickets t, tasks k where k.id = t.id ${mark}`, ['tickets, tasks are not joined by workspace']],
  [`select id from users ${mark}`, []],
  ['select id from tickets /* across workspaces: haste */', ["'haste' is not among the crossings"]],
])('%s', async (statement, faults) => {
  await loadModule()
  expect(faultsOf(statement, new Set(['tickets', 'tasks']))).toEqual(faults)
})
