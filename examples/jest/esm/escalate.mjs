/** Code under test: creates a ticket for a late order. */
export async function escalate(client, order) {
  const { ticket_number } = await client.tickets.create({ title: `Order ${order} is late`, priority: 'high' })
  return ticket_number
}
