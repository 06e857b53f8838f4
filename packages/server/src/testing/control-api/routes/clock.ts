import type { clockControlRoutes } from '@service/contract/test-controls/clock'
import type { TestServer } from '../../test-server.ts'
import type { ControlHandlers } from '../control-route.ts'

const now = ({ clock }: TestServer) => ({ now: clock.now().toISOString(), frozen: clock.isFrozen })

export const clockControls = {
  'clock.get': now,
  async 'clock.set'(server, { body }) {
    await server.clock.set(body.at)
    return now(server)
  },
  async 'clock.advance'(server, { body }) {
    await server.clock.advance(body.by)
    return now(server)
  },
  async 'clock.freeze'(server, { body }) {
    await server.clock.freeze(body.at)
    return now(server)
  },
  async 'clock.unfreeze'(server) {
    await server.clock.unfreeze()
    return now(server)
  },
} satisfies ControlHandlers<typeof clockControlRoutes>
