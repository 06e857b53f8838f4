import { type RawBuilder, sql } from 'kysely'

/** The name of a person as a workspace calls them; `workspaceId` is a column, `user` the table or alias of the person. */
export const memberName = <Name extends string | null = string>(workspaceId: string, user: string): RawBuilder<Name> =>
  sql`coalesce((
    select member_names.name from member_names
    where member_names.workspace_id = ${sql.ref(workspaceId)} and member_names.user_id = ${sql.ref(`${user}.id`)}
  ), ${sql.ref(`${user}.name`)})`
