import { apiBasePath, inboundBasePath } from '@service/contract'
import { testBasePath, verb } from '../verb.ts'

export const forkVerbs = [
  verb({
    method: 'POST',
    path: '/forks',
    says: 'Another server with the same state on a port of its own: one for each test that runs at the same time.',
    async run(server, { desk }) {
      const fork = await server.fork()
      const { url } = await fork.listen()
      return {
        id: desk.forks.put(fork),
        url,
        base_url: `${url}${apiBasePath}`,
        webhook_base_url: `${url}${inboundBasePath}`,
        test_url: `${url}${testBasePath}`,
      }
    },
  }),
  verb({
    method: 'DELETE',
    path: '/forks/{id}',
    says: 'Closes a fork.',
    run: (_, { params, desk }) => desk.forks.take(params['id']).close(),
  }),
]
