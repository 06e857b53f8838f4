import type { DocsOf } from '../../route-docs.ts'
import type { dataControlRoutes } from '../../test-controls/data.ts'

/** Documentation of the controls that make data. */
export const dataControlDocs: DocsOf<typeof dataControlRoutes> = {
  'seeded.get': { summary: 'Get what the seed made', description: 'Workspaces, tokens and secrets.' },
  'factories.create': {
    summary: 'Create a thing',
    description: 'A ticket, task, workspace, token and so on. What it needs and is not named is created too.',
    bodies: { defaults: {}, 'with-values': { title: 'Checkout fails with a coupon' } },
  },
  'tokens.issue': {
    summary: 'Issue a token',
    description: 'With every scope unless `scopes` names some. Its text is in this answer and in no other.',
    bodies: { 'every-scope': {}, 'one-scope': { scopes: ['tickets:read'], expires_in: '1h' } },
  },
}
