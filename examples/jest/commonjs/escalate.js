/** Code under test: creates a ticket for a late order. */
exports.escalate = async (client, order) => {
  const { ticket_number } = await client.tickets.create({ title: `Order ${order} is late`, priority: 'high' })
  return ticket_number
}
