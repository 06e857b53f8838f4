import { beforeAll, describe, expect, it } from 'vitest'
import { type Finding, lintSources } from './lint-sources.ts'

/** Per role one file, what it may import and what it must not. */
type Role = { file: string; allowed: string[]; refused: string[] }

const server = 'packages/server/src'
const tickets = `${server}/modules/tickets`
const http = ['hono', 'hono/jsx', '@hono/node-server', '../../http/error-response.ts']

const roles: Record<string, Role> = {
  'the contract': {
    file: 'packages/contract/src/tickets.ts',
    allowed: ['./fields.ts', 'zod/mini'],
    refused: ['node:crypto', 'ky', '@service/client', 'zod-openapi'],
  },
  'the client': {
    file: 'packages/client/src/resources/tickets.ts',
    allowed: ['../call.ts', './tasks.ts', '@service/contract', '@service/contract/tickets', 'zod/mini'],
    refused: ['ky', 'node:crypto', 'fs', '@service/server', '@service/webhooks', 'hono'],
  },
  'the hooks of the client': {
    file: 'packages/client/src/run-hooks.ts',
    allowed: ['ky', './errors.ts', '@service/contract'],
    refused: ['node:http', 'undici', '@service/server'],
  },
  'the webhooks package': {
    file: 'packages/webhooks/src/verify.ts',
    allowed: ['./sign.ts', '@service/contract'],
    refused: ['node:crypto', 'crypto', 'zod/mini', 'ky', '@service/client'],
  },
  'the Node side of the webhooks package': {
    file: 'packages/webhooks/src/node/express.ts',
    allowed: ['node:http', '../verify.ts', '@service/contract'],
    refused: ['zod/mini', 'express', 'hono'],
  },
  'a file named for Node in the webhooks package': {
    file: 'packages/webhooks/src/read-body.node.ts',
    allowed: ['node:stream', './verify.ts'],
    refused: ['zod/mini', 'ky'],
  },
  'a file that all of the server shares': {
    file: `${server}/core/context.ts`,
    allowed: ['./clock.ts', '../store/database.ts', 'kysely'],
    refused: [
      '../http/api.ts',
      'hono',
      '../modules/tickets/service.ts',
      '../delivery/outbox/outbox.ts',
      '../cli/start.ts',
    ],
  },
  'a file that puts the layers together': {
    file: `${server}/bootstrap.ts`,
    allowed: ['./app.ts', './store/open.ts', './modules/crm/lead-sources.ts', './delivery/worker.ts'],
    refused: ['./testing/test-platform.ts', './cli/start.ts', 'kysely', 'hono', './modules/tickets/queries.ts'],
  },
  'the run time': {
    file: `${server}/runtime/entrypoints.ts`,
    allowed: ['../core/known-keys.ts', './listen.ts'],
    refused: ['../testing/intercept/intercept.ts', '../cli/start.ts', '../modules/tickets/service.ts', 'kysely'],
  },
  'the command line': {
    file: `${server}/cli/start.ts`,
    allowed: ['../server.ts', '../testing/create-test-server.ts'],
    refused: ['kysely', '../modules/tickets/queries.ts'],
  },
  'a door': {
    file: `${server}/http/api.ts`,
    allowed: ['hono', './bearer.ts', '../modules/tickets/routes.ts', '../modules/git/inbound.ts', '../core/context.ts'],
    refused: [
      '../modules/tickets/service.ts',
      '../modules/tickets/queries.ts',
      '../modules/git/hosts/github.ts',
      'kysely',
    ],
  },
  'middleware of a door': {
    file: `${server}/http/bearer.ts`,
    allowed: ['hono', '../modules/workspaces/service.ts', '../core/errors.ts', './idempotency-table.ts'],
    refused: ['../modules/workspaces/queries.ts', '../modules/workspaces/table.ts', 'kysely', 'pg', 'better-sqlite3'],
  },
  'a pure file of a module': {
    file: `${server}/modules/git/hosts/github.ts`,
    allowed: ['../activity.ts', 'node:crypto', '@service/contract', '../../../core/context.ts'],
    refused: ['../../tickets/queries.ts', '../../tickets/table.ts', 'hono', '../../../http/api.ts', 'kysely'],
  },
  routes: {
    file: `${tickets}/routes.ts`,
    allowed: ['./service.ts', '@service/contract', '../../core/context.ts', '../../core/errors.ts'],
    refused: [
      ...http,
      './queries.ts',
      './table.ts',
      '../tasks/service.ts',
      '../../store/open.ts',
      '../../delivery/outbox/outbox.ts',
    ],
  },
  'an inbound route': {
    file: `${server}/modules/git/inbound.ts`,
    allowed: ['./service.ts', './hosts/github.ts', '@service/contract'],
    refused: [...http, './queries.ts', '../tickets/service.ts', 'kysely'],
  },
  'a page': {
    file: `${tickets}/pages.tsx`,
    allowed: ['hono/jsx', './service.ts', '../projects/service.ts'],
    refused: ['hono', '@hono/node-server', './queries.ts', './table.ts', '../../store/open.ts', '../../http/api.ts'],
  },
  'a service': {
    file: `${tickets}/service.ts`,
    allowed: [
      './queries.ts',
      '../projects/service.ts',
      '../../delivery/outbox/outbox.ts',
      '../../store/transaction.ts',
    ],
    refused: [
      ...http,
      ...['./table.ts', './routes.ts', '../projects/queries.ts', '../projects/table.ts', '../projects/routes.ts'],
      ...['../../delivery/worker.ts', 'kysely', 'pg'],
    ],
  },
  queries: {
    file: `${tickets}/queries.ts`,
    allowed: ['kysely', './table.ts', '../../store/columns.ts', '../../core/context.ts', '../../core/errors.ts'],
    refused: [
      ...http,
      ...['./service.ts', './routes.ts', '../projects/queries.ts', '../projects/table.ts', '../projects/service.ts'],
      ...['../../delivery/outbox/outbox.ts', 'better-sqlite3', 'pg'],
    ],
  },
  'queries in a folder of a module': {
    file: `${server}/modules/hrms/attendance/queries.ts`,
    allowed: ['./table.ts', '../table.ts', '../../../store/columns.ts'],
    refused: ['../../crm/queries.ts', '../../crm/table.ts', '../../../http/api.ts'],
  },
  'a table': {
    file: `${tickets}/table.ts`,
    allowed: ['kysely', '../../store/columns.ts'],
    refused: ['../projects/table.ts', './service.ts', 'hono'],
  },
  'the delivery': {
    file: `${server}/delivery/worker.ts`,
    allowed: ['./claim.ts', './table.ts', '../store/transaction.ts', '@service/webhooks', 'undici', 'kysely'],
    refused: ['../modules/webhooks/service.ts', '../modules/tickets/table.ts', '../http/api.ts', 'hono', 'pg'],
  },
  'the store': {
    file: `${server}/store/database.ts`,
    allowed: ['kysely', 'pg', '../modules/tickets/table.ts', '../delivery/table.ts', '../http/idempotency-table.ts'],
    refused: ['../modules/tickets/queries.ts', '../delivery/outbox/outbox.ts', '../http/api.ts', 'hono'],
  },
}

const importing = (specifiers: string[]) => specifiers.map((specifier) => `import '${specifier}'`).join('\n')

describe('the import rules', () => {
  let violations: Finding[] = []

  beforeAll(async () => {
    const sources = Object.values(roles).map(({ file, allowed, refused }) => ({
      file,
      source: importing([...allowed, ...refused]),
    }))
    violations = await lintSources(sources)
  })

  for (const [name, { file, allowed, refused }] of Object.entries(roles)) {
    it(`lets ${name} import what it may, and reports everything else`, () => {
      const specifiers = [...allowed, ...refused]
      const reported = violations.filter(
        (finding) => finding.file === file && finding.rule.endsWith('noRestrictedImports'),
      )
      expect(new Set(reported.map(({ line }) => specifiers[line - 1]))).toEqual(new Set(refused))
    })
  }
})

describe('an import rule', () => {
  const file = `${tickets}/queries.ts`
  const forms = {
    'a type-only import': "import type { Api } from '../../http/api.ts'",
    'a re-export': "export { api } from '../../http/api.ts'",
    'an import at run time': "export const later = () => import('../../http/api.ts')",
  }

  it.each(Object.entries(forms))('also sees %s', async (_form, source) => {
    const violations = await lintSources([{ file, source }])
    expect(violations).toContainEqual({ file, line: 1, rule: 'lint/style/noRestrictedImports' })
  })

  it('leaves tests free to compare with what they test', async () => {
    const source = "import '../../http/api.ts'\nimport 'vitest'\nimport 'kysely'"
    expect(await lintSources([{ file: `${tickets}/queries.test.ts`, source }])).toEqual([])
  })
})

describe('cycles', () => {
  const ring = (statement: string, folder = `${server}/modules/tickets`) => [
    {
      file: `${folder}/first.ts`,
      source: "import { b } from './second.ts'\nexport const a = () => b\n",
    },
    { file: `${folder}/second.ts`, source: statement },
  ]

  it('at run time are reported', async () => {
    const violations = await lintSources(ring("import { a } from './first.ts'\nexport const b = () => a\n"))
    expect(violations.map(({ rule }) => rule)).toContain('lint/suspicious/noImportCycles')
  })

  it.each(['client', 'webhooks'])('of types are reported in packages/%s', async (name) => {
    const source = "import type { a } from './first.ts'\nexport const b = (first: typeof a) => first\n"
    const violations = await lintSources(ring(source, `packages/${name}/src`))
    expect(violations.map(({ rule }) => rule)).toContain('lint/suspicious/noImportCycles')
  })

  it('do not arise from types in the server, which are gone at run time', async () => {
    const source = "import type { a } from './first.ts'\nexport const b = (first: typeof a) => first\n"
    expect(await lintSources(ring(source))).toEqual([])
  })
})
