import { it } from 'vitest'
import { createServer } from '../src/index.ts'
import { inTransaction } from '../src/store/transaction.ts'
import { startServer } from '../src/server.ts'
it('x', async () => {
  const s = await createServer({ random: 1, clock: '2026-01-01T00:00:00Z' })
  const w = await s.admin.workspaces.create({ name: 'a' })
  const m = await s.admin.members.add({ workspace_id: w.id, name: 'A', email: 'a@b.co' })
  const t = performance.now()
  for (let i = 0; i < 2000; i++) await s.admin.tickets.create({ workspace_id: w.id, title: 't' + i, created_by: m.id, tags: ['a'] })
  console.log('per ticket µs', (performance.now() - t) / 2)
  const b = await s.snapshot(); console.log(b.length)
})
