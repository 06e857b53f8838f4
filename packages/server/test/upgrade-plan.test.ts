import { expect, test } from 'vitest'
import { planMigration } from '../src/store/upgrade-plan.ts'

test.each([
  { dialect: 'sqlite', dropped: { locks: 'rows', seconds: 3 } },
  { dialect: 'postgres', dropped: { locks: 'brief', seconds: 0 } },
] as const)(
  'others wait for the rows of a table on $dialect as long as its statements read them',
  ({ dialect, dropped }) => {
    const plan = (statement: string) =>
      planMigration({ name: '0099-next', statements: () => [statement] }, dialect, new Map([['tickets', 250_000]]))
    expect(plan('alter table tickets drop column origin')).toEqual({
      name: '0099-next',
      tables: [{ table: 'tickets', rows: 250_000 }],
      ...dropped,
    })
    expect(plan('alter table tickets add column origin text')).toMatchObject({ locks: 'brief', seconds: 0 })
    expect(plan('alter table tickets rename to issues')).toMatchObject({ locks: 'brief', seconds: 0 })
    expect(plan('update tickets set origin = 1')).toMatchObject({ locks: 'rows', seconds: 3 })
  },
)
