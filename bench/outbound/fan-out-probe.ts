import { createServer } from '@service/server'

// How long creating a ticket takes that goes to ten thousand subscriptions. node fan-out-probe.ts <data> <receiver>

const subscriptions = 10_000
const tickets = 5

const [data = '', receiverUrl = ''] = process.argv.slice(2)
const server = await createServer({ data, egressAllow: ['127.0.0.1'] })
const { id: workspace_id } = await server.admin.workspaces.create({ name: 'Outbound' })
for (let made = 0; made < subscriptions; made += 500)
  await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      server.admin.webhooks.create(
        { workspace: workspace_id },
        { url: `${receiverUrl}/${made + index}`, events: ['ticket.*'] },
      ),
    ),
  )
const taken: number[] = []
for (let number = 0; number < tickets; number += 1) {
  const startedAt = performance.now()
  await server.admin.tickets.create({ workspace: workspace_id }, { title: `Ticket ${number}` })
  taken.push(performance.now() - startedAt)
  await server.deliveries.runDue()
}
console.log(JSON.stringify(taken))
process.exit()
