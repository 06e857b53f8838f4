import type { Client, Ticket } from '@service/client'

/** Code under test that is given its client: opens a ticket for each open one that is urgent. */
export async function escalate(client: Client): Promise<Ticket[]> {
  const tickets = await client.tickets.list()
  const urgent = tickets.filter(({ priority, status }) => priority === 'urgent' && status === 'open')
  for (const { ticket_number } of urgent) {
    await client.tickets.create({ title: `Call the customer of ${ticket_number}`, priority: 'high' })
  }
  return urgent
}
