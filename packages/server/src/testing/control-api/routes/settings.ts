import type { settingControlRoutes } from '@service/contract/test-controls/settings'
import { fromWire, toWire } from '../../http/wire-names.ts'
import type { TestServer } from '../../test-server.ts'
import type { ControlHandlers } from '../control-route.ts'

const limits = (server: TestServer) => ({ requests_per_minute: server.limits.requestsPerMinute })

export const settingControls = {
  'quirks.get': (server) => toWire(server.quirks.current),
  'quirks.set'(server, { body }) {
    server.quirks.set(fromWire(body)) // refused in words when a value cannot be
    return toWire(server.quirks.current)
  },
  'limits.get': limits,
  'limits.set'(server, { body }) {
    server.limits.set({ requestsPerMinute: body.requests_per_minute })
    return limits(server)
  },
} satisfies ControlHandlers<typeof settingControlRoutes>
