import type { Migration } from '../columns.ts'

/** What the overview shows, counted per hour (since 1970) as it happens, so that reading it does not count rows. */
export const hourlyCounts: Migration = {
  name: '0022-hourly-counts',
  statements: ({ dialect, integer, reference, endOfTable }) => [
    `create table resolved_counts (
      workspace_id ${integer} not null references workspaces (id), hour ${integer} not null, tickets ${integer} not null,
      primary key (workspace_id, hour)
    ) ${endOfTable}`,
    'create index resolved_counts_hour on resolved_counts (hour)',
    `create table delivery_counts (
      workspace_id ${integer} not null, ${reference('subscription_id', 'subscriptions', 'not null')},
      hour ${integer} not null, succeeded ${integer} not null, failed ${integer} not null,
      primary key (workspace_id, hour, subscription_id)
    ) ${endOfTable}`,
    'create index delivery_counts_hour on delivery_counts (hour)',
    `/* across workspaces: migration */ insert into resolved_counts (workspace_id, hour, tickets)
      select workspace_id, resolved_at / 3600000000, count(*) from tickets
      where resolved_at >= (select max(created_at) from tickets) - ${keptMicros} group by 1, 2`,
    `/* across workspaces: migration */ insert into delivery_counts (workspace_id, subscription_id, hour, succeeded, failed)
      select workspace_id, subscription_id, created_at / 3600000000,
        sum(case when state = 'succeeded' then 1 else 0 end), sum(case when state = 'succeeded' then 0 else 1 end)
      from deliveries where attempts > 0 group by 1, 2, 3`,
    ...(dialect === 'sqlite'
      ? []
      : [
          // Few rows, each updated many times.
          'alter table delivery_counts set (fillfactor = 50)',
          'alter table resolved_counts set (fillfactor = 50)',
        ]),
  ],
}

/** 31 days, which the overview shows at most. */
const keptMicros = 2_678_400_000_000
