// All CommonJS entries must share the error classes, and load what they need on demand.
const process = require('node:process')
const { createClient, isServiceError, NotFoundError } = require('@service/client')
const { createAdminClient } = require('@service/client/admin')
const { createInboundClient } = require('@service/client/inbound')

async function collectResults() {
  const statuses = []
  const options = {
    fetch: async () => Response.json({ message: 'There is none.' }, { status: 404 }),
    hooks: { afterResponse: [({ response }) => void statuses.push(response.status)] },
    pace: 'auto',
  }
  const baseUrl = 'https://platform.example'
  const client = createClient({ ...options, baseUrl: `${baseUrl}/api/v1`, token: 'token', workspace: 1 })
  const admin = createAdminClient({ ...options, baseUrl: `${baseUrl}/admin/v1`, token: 'token' })
  const inbound = createInboundClient({ ...options, webhookBaseUrl: `${baseUrl}/api`, workspace: 1 })
  const results = await Promise.all([
    client.tickets.list().safe(),
    client.request({ method: 'GET', path: '/workspaces/{workspace}/labels' }).safe(),
    admin.accounts.list({ workspace: 1 }).catch((error) => ({ error })),
    inbound.leads.ping('website').safe(),
  ])
  const names = results.map(({ error }) => isServiceError(error) && error instanceof NotFoundError && error.name)
  return { names, statuses, className: NotFoundError.name }
}

void collectResults().then((results) => process.stdout.write(JSON.stringify(results)))
