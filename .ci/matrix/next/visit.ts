import { createClient } from '@service/client'

/** Reads, writes, and reads again, then calls an operation that the platform refuses with 503. */
export async function visit() {
  const client = createClient({
    baseUrl: process.env.SERVICE_URL,
    token: process.env.SERVICE_TOKEN,
    workspace: 1,
    hooks: { beforeRequest: [() => undefined] },
    sleep: async () => undefined,
  })
  const before = await client.tickets.list()
  await client.tickets.create({ title: 'The printer hums' })
  const after = await client.tickets.list()
  const failed = await client.projects.list().safe()
  return { added: after.length - before.length, attempts: failed.ok === false ? failed.error.attempts : 0 }
}
