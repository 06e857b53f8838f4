/** Code under test, with a fixed URL. */
export async function reportOutage(title: string): Promise<string> {
  const response = await fetch('https://api.example.com/api/v1/workspaces/1/tickets', {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['SERVICE_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, priority: 'urgent' }),
  })
  if (!response.ok) throw new Error(`The platform responded with ${response.status}.`)
  const { data } = (await response.json()) as { data: { ticket_number: string } } // the documented response
  return data.ticket_number
}
