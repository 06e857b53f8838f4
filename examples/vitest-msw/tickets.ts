/** Code under test that knows one address and nothing of tests. */
export async function reportOutage(title: string): Promise<string> {
  const response = await fetch('https://api.example.com/api/v1/workspaces/1/tickets', {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env['SERVICE_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title, priority: 'urgent' }),
  })
  if (!response.ok) throw new Error(`The platform answered ${response.status}.`)
  const { data } = (await response.json()) as { data: { ticket_number: string } } // the platform's documented answer
  return data.ticket_number
}
