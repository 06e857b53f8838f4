import type { Columns } from '../columns.ts'

// Before the first schema there were the migrations below. A database that has exactly these is upgraded to the first schema in
// one step. Delete this file, its imports, and `test/last-release/` after one release.

const migrationsOfLastRelease = {
  '0001-foundation': {
    sqlite: '7bafa692b74e30c652827581e79c0a180521c8a9620e0e1f82658609e18d4731',
    postgres: 'cfc09cba9e5529f7cd14ea79f043f5e94dfc1f17ed1ff142ab1f539b134182be',
  },
  '0002-inbound': {
    sqlite: '1c78614c73519273fd61e64df85e5d4afd8742ca4f0035c9e3a859a8fa585736',
    postgres: '998a67bd1e2f80b725d0385152efcad603e20b7516527ab0333e215871dcfb1e',
  },
  '0003-delivery': {
    sqlite: '227a1fe6ce377dc232236aac73f76a9cc1147514d5bec80d1d992f2aa66b3d4b',
    postgres: 'bbd540d07b2ddc09753dfdaccd2a1d7b4ee58d1c50921fde1fa610ef484cc6c1',
  },
  '0004-messages': {
    sqlite: '4c8532d5c303b400a7d5324b6dfb04703294bb1cb00e5590c5cdc4de5676ffbd',
    postgres: '9659036c43c57155b3f0303262204f06eb80225624516798d56380c2c62ef04c',
  },
  '0005-automation': {
    sqlite: '56e1338821ec9248cf88d219c1112ae018661bbcce53eca14f6a9d42a10f53e6',
    postgres: 'eae08290c567d56f037a6546b734c821f0fb80f829421ee69df9d7e0d192f312',
  },
  '0006-delivery-settings': {
    sqlite: 'd8f0e7ec30fb43ef135611c41563d0add9d30c0e4a1aeaf9da785cba342c2bbc',
    postgres: 'eb0f658193575b6dc2a9917476fa46542fad394668335dc7099fd9044ad44066',
  },
  '0007-people': {
    sqlite: '4cbb540c9c9ab33eb90b852c24ff21e22e7481dfe762a66f283f496b62df29e8',
    postgres: 'fce0e923c63188fe9daa42c63e04fac94d5db48b481f99b207fee73e4f0de30c',
  },
  '0008-search': {
    sqlite: '753755653d58997f023e15bc81022e75d72ea735e475d4060c171eaebae512e9',
    postgres: '061e21b14380482a56ffc132b710d31ee82054ddb016432ea1fd514673549acc',
  },
  '0009-operations': {
    sqlite: '84075838bcca693cd54a35927df73851aebc4651c8dc8a4c41bcc30be0d650d5',
    postgres: '8feb39a030a7dd2c3cb84440cf5e0f593c4938cbf2cabab691b7350c315fe1d8',
  },
  '0010-overview': {
    sqlite: '571dc001de0c1ca136ada6f900931a8e4cc2dcde2b04f01b7e8e380800af19f4',
    postgres: '571dc001de0c1ca136ada6f900931a8e4cc2dcde2b04f01b7e8e380800af19f4',
  },
}

export const namesOfLastRelease: readonly string[] = Object.keys(migrationsOfLastRelease)

/** Whether these are the migrations of the last release, by names and checksums. */
export function isLastRelease(
  dialect: Columns['dialect'],
  applied: ReadonlyMap<string, { readonly checksum: string }>,
): boolean {
  const wanted = Object.entries(migrationsOfLastRelease)
  return (
    applied.size === wanted.length &&
    wanted.every(([name, checksum]) => applied.get(name)?.checksum === checksum[dialect])
  )
}

/** Changes such a database into what the first schema would have made, and keeps its rows. */
export const upgradeFromLastRelease = ({ dialect, integer, endOfTable }: Columns): readonly string[] => [
  `create table member_names (
      workspace_id ${integer} not null references workspaces (id),
      user_id ${integer} not null references users (id),
      name text not null,
      primary key (workspace_id, user_id)
    ) ${endOfTable}`,
  'alter table workspaces add column currency text',
  ...moveTags(dialect, { from: 'ticket_tags', to: 'tickets', key: 'ticket_id' }),
  ...moveTags(dialect, { from: 'task_tags', to: 'tasks', key: 'task_id' }),
  'drop index tickets_newest',
  'delete from migrations',
]

const moveTags = (dialect: Columns['dialect'], { from, to, key }: { from: string; to: string; key: string }) => [
  `alter table ${to} add column tags text not null default '[]'`,
  `update ${to} set tags = given.tags from (
      select workspace_id, ${key}, ${tagsAsJson[dialect]} as tags
      from ${from} group by workspace_id, ${key}
    ) as given where given.workspace_id = ${to}.workspace_id and given.${key} = ${to}.id /* across workspaces: migration */`,
  `drop table ${from}`,
]

const tagsAsJson = {
  sqlite: 'json_group_array(tag order by position)',
  postgres: `'[' || string_agg(to_json(tag)::text, ',' order by position) || ']'`,
}
