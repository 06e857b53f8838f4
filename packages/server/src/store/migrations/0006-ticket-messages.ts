import type { Migration } from '../columns.ts'

/** Messages about a ticket. */
export const ticketMessages: Migration = {
  name: '0006-ticket-messages',
  statements: ({ dialect, integer }) => [
    ...(dialect === 'sqlite'
      ? ['alter table messages add column ticket_id integer references tickets (id)']
      : [
          `alter table messages add column ticket_id ${integer}`,
          'alter table messages add foreign key (ticket_id, workspace_id) references tickets (id, workspace_id)',
        ]),
    'create index messages_ticket on messages (ticket_id, id) where ticket_id is not null',
  ],
}
