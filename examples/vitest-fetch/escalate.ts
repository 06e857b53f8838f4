import type { Client, Ticket } from '@service/client'

/** Code under test: creates a ticket for each open urgent ticket. */
export async function escalate(client: Client): Promise<Ticket[]> {
  const tickets = await client.tickets.list()
  const urgent = tickets.filter(({ priority, status }) => priority === 'urgent' && status === 'open')
  for (const { ticket_number } of urgent) {
    await client.tickets.create({ title: `Call the customer of ${ticket_number}`, priority: 'high' })
  }
  return urgent
}
