// vitest before 3.2 has no worker fixtures, so this file uses hooks.
import { createClient } from '@service/client'
import { useService } from '@service/server/vitest'
import { expect, test } from 'vitest'

const service = useService({ seed: 'demo' })

test('is alive', async () => expect((await service.fetch('/livez')).status).toBe(200))

test('lists the tickets', async () => {
  expect((await createClient(service).tickets.list()).length).toBeGreaterThan(0)
})
