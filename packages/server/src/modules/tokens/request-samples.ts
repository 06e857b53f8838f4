import { apiBasePath } from '@service/contract'
import type { NewApiToken } from '@service/contract/admin/people'
import type { WorkspacePage } from '../../ui/page-types.ts'

/** Lines that send a first request with a new token. They name a variable, so that no secret ends up in a program. */
export function requestSamples({ page, token }: { readonly page: WorkspacePage; readonly token: NewApiToken }) {
  const { id } = page.workspace
  const baseUrl = `${page.serverUrl}${apiBasePath}`
  const listsTickets = token.scopes.includes('tickets:read')
  return [
    {
      language: 'curl',
      code: [
        `export SERVICE_TOKEN='${token.token}'`,
        `curl '${baseUrl}/workspaces/${id}/tickets' \\`,
        `  -H "Authorization: Bearer $SERVICE_TOKEN" -H 'Accept: application/json'`,
      ].join('\n'),
    },
    {
      language: 'TypeScript',
      code: [
        `import { createClient } from '@service/client'`,
        '',
        `const client = createClient({`,
        `  baseUrl: '${baseUrl}',`,
        `  workspace: ${id},`,
        `  token: process.env.SERVICE_TOKEN,`,
        `})`,
        listsTickets ? `console.log(await client.tickets.list())` : `await client.tickets.create({ title: 'First' })`,
      ].join('\n'),
    },
    {
      language: 'Python',
      code: [
        `import os, requests`,
        '',
        `answer = requests.get(`,
        `    '${baseUrl}/workspaces/${id}/tickets',`,
        `    headers={'Authorization': f"Bearer {os.environ['SERVICE_TOKEN']}", 'Accept': 'application/json'},`,
        `)`,
        `print(answer.status_code, answer.json())`,
      ].join('\n'),
    },
  ]
}
