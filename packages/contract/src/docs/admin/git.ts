import type { gitAdminRoutes } from '../../admin/git.ts'
import type { DocsOf } from '../../route-docs.ts'
import { page } from '../example-values.ts'

/** Documentation of the administration of Git activity. */
export const gitAdminDocs: DocsOf<typeof gitAdminRoutes> = {
  'activities.list': {
    summary: 'List activity in repositories',
    description: 'One entry per commit of a push and one for any other event, newest first.',
    responses: {
      activities: page({
        id: 71,
        provider: 'github',
        event: 'push',
        kind: 'commit',
        title: 'Ada Obi pushed "Refuse negative totals" to main',
        ref: 'main',
        url: 'https://git.test/northwind/shop/commit/3f1c9a2',
        commit_sha: '3f1c9a2',
        actor: 'Ada Obi',
        actor_url: null,
        repository: 'northwind/shop',
        repository_url: 'https://git.test/northwind/shop',
        occurred_at: '2026-11-20T18:50:00.000000Z',
        created_at: '2026-11-20T18:51:53.123456Z',
      }),
    },
  },
}
