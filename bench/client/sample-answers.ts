const created = {
  id: 1,
  ticket_number: 'TKT-00001',
  title: 'The printer is on fire',
  status: 'open',
  priority: 'high',
  category: null,
  assigned_to: null,
  created_by: 7,
  created_at: '2026-11-20T18:51:53.123456Z',
  assignee: null,
  creator: { id: 7, name: 'Amara Okafor' },
}

export const ticketNumber = created.ticket_number

/** What the platform answers to the two calls of every caller. */
export const sampleAnswers = {
  list: JSON.stringify({ data: [{ ...created, updated_at: created.created_at }] }),
  create: JSON.stringify({ data: { ...created, project: null } }),
}
