import { apiBasePath, inboundBasePath, testBasePath } from '@service/contract'
import type { stateControlRoutes } from '@service/contract/test-controls/state'
import type { ControlHandlers } from '../control-route.ts'

export const stateControls = {
  'state.reset': (server, { body }) => server.reset(body),
  'state.snapshot': (server) => server.snapshot(),
  'state.restore': (server, { body }) => server.restore(body),
  'state.settled': (server) => server.settled(),
  'states.list': (server) => server.states.list(),
  'states.save': (server, { name }) => server.states.save(name),
  'states.load': (server, { name }) => server.states.load(name),
  async 'forks.open'(server, { handles }) {
    const fork = await server.fork()
    const { url } = await fork.listen()
    return {
      id: handles.forks.add(fork),
      url,
      base_url: `${url}${apiBasePath}`,
      webhook_base_url: `${url}${inboundBasePath}`,
      test_url: `${url}${testBasePath}`,
    }
  },
  'forks.close': (_, { id, handles }) => handles.forks.remove(id).close(),
} satisfies ControlHandlers<typeof stateControlRoutes>
