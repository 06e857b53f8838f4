import { ErrorBody } from '@service/contract'
import { type Check, expectShape, expectStatus } from '../probe.ts'

const tickets = '/workspaces/{workspace}/tickets'

export const authenticationChecks: readonly Check[] = [
  {
    section: '§5',
    title: 'a missing bearer token gives 401',
    basis: 'documented',
    run: async (probe) => expectStatus(await probe.api(tickets, { token: null }), 401),
  },
  {
    section: '§5',
    title: 'an unknown bearer token gives 401',
    basis: 'documented',
    run: async (probe) => expectStatus(await probe.api(tickets, { token: 'service_unknown' }), 401),
  },
  {
    section: '§5',
    title: 'a token used against another workspace gives 403',
    basis: 'documented',
    run: async (probe) => expectStatus(await probe.api(`/workspaces/${probe.target.workspace + 1}/tickets`), 403),
  },
  {
    section: '§5',
    title: 'a token without the scope gives 403',
    basis: 'documented',
    async run(probe) {
      const token = probe.need(probe.target.narrowToken, '--narrow-token (one without tickets:read)')
      expectStatus(await probe.api(tickets, { token }), 403)
    },
  },
  {
    section: '§7',
    title: 'an error is JSON with a message',
    basis: 'decided',
    run: async (probe) => void expectShape(ErrorBody, await probe.api(tickets, { token: null })),
  },
  {
    section: '§7',
    title: 'a workspace that does not exist gives 403, so that callers cannot probe for workspaces',
    basis: 'decided',
    run: async (probe) => expectStatus(await probe.api('/workspaces/999999999/tickets'), 403),
  },
]
