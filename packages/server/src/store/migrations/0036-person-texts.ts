import type { Migration } from '../columns.ts'

/** The name and the e-mail address by which an employee is found. They are in other tables, which no index covers. */
export const personTexts: Migration = {
  name: '0036-person-texts',
  statements: () => [
    "alter table employees add column person_text text not null default ''",
    `update employees set person_text = found.person_text from (
      select employees.workspace_id, employees.id,
        coalesce(member_names.name, users.name) || ' ' || users.email as person_text
      from employees join users on users.id = employees.user_id
      left join member_names on member_names.workspace_id = employees.workspace_id
        and member_names.user_id = employees.user_id
    ) as found where found.workspace_id = employees.workspace_id and found.id = employees.id /* across workspaces: migration */`,
  ],
}
