import { execSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../packages/server/test/fresh-directory.ts'
import { errorsWith } from './edited-types.ts'
import { readRepoFile, repoRoot } from './repo.ts'

// Adds `PATCH /tasks/{id}/due-date`, a field of deals, and an event about visits, in memory with the steps in CONTRIBUTING. The code is inserted at the top of a
// file or the beginning of a declaration, so that it does not depend on real endpoints, and its names are unlikely to become real.

interface Step {
  readonly file: string
  /** The beginning of a declaration, and the text to insert before and after it. */
  readonly edits: readonly { readonly at: RegExp; readonly before?: string; readonly after: string }[]
}

const contractFile = 'packages/contract/src/tasks.ts'
const valuesFile = 'packages/contract/src/known-values.ts'
const docsFile = 'packages/contract/src/docs/tasks.ts'
const handlersFile = 'packages/server/src/modules/tasks/routes.ts'

const route: Step = {
  file: contractFile,
  edits: [
    { at: /^/, after: "import { dayText as postponedDay } from './fields.ts'\n" },
    {
      at: /export const taskRoutes = \[/,
      before: `export const Postponement = z.object({
  priority: optionalOpen<(typeof priorities)[number]>(),
  due_at: z.nullish(postponedDay),
})

export const postponeTask = {
  ...apiWrite,
  method: 'PATCH',
  operation: 'tasks.postpone',
  path: '/workspaces/{workspace}/tasks/{id}/due-date',
  scope: 'tasks:write',
  body: Postponement,
  responses: { 200: dataOf(Task) },
  emits: 'task.updated',
} as const satisfies ApiRoute

`,
      after: 'postponeTask, ',
    },
  ],
}

const knownValues: Step = {
  file: valuesFile,
  edits: [{ at: /\} = \{\n/, after: "  'tasks.postpone': { priority: priorities },\n" }],
}

const documentation: Step = {
  file: docsFile,
  edits: [
    {
      at: /export const taskDocs\b.*\{\n/,
      after: `  'tasks.postpone': {
    summary: 'Postpone a task',
    description: 'A day, or null to remove it.',
    bodies: { move: { due_at: '2026-12-04' } },
    responses: { updated: { data: { ...task, due_at: '2026-12-04T00:00:00.000000Z' } } },
    notes: { does: 'Postpones a task.', createdWith: ['create.task'], decisions: [] },
  },
`,
    },
  ],
}

const handler: Step = {
  file: handlersFile,
  edits: [
    {
      at: /export const taskHandlers = \{\n/,
      after:
        "  'tasks.postpone': async (app, { body, workspaceId, id }) => ({ data: await service.updateTask(app, { workspaceId, id }, body) }),\n",
    },
  ],
}

/** The steps in the order of CONTRIBUTING. */
const steps = [route, knownValues, documentation, handler]

const dealService = 'packages/server/src/modules/crm/deal-service.ts'
const dealPages = 'packages/server/src/modules/crm/pages.tsx'

const fieldSchemas: readonly Step[] = [
  {
    file: 'packages/contract/src/crm.ts',
    edits: [{ at: /export const Deal = z\.looseObject\(\{\n/, after: '  buyer: orNull(z.string()),\n' }],
  },
  {
    file: 'packages/contract/src/admin/crm-input.ts',
    edits: [{ at: /const dealFields = \{\n/, after: '  buyer: text(maxTitleLength),\n' }],
  },
]

/** A text field of deals. Their pages have two other fields with its label. */
const fieldSteps: readonly Step[] = [
  ...fieldSchemas,
  {
    file: 'packages/contract/src/docs/example-values.ts',
    edits: [{ at: /export const deal = \{\n/, after: "  buyer: 'Tailspin Toys',\n" }],
  },
  {
    file: 'packages/server/src/modules/crm/table.ts',
    edits: [{ at: /export interface DealsTable \{\n/, after: '  buyer: string | null\n' }],
  },
  {
    file: 'packages/server/src/store/migrate.ts',
    edits: [
      {
        at: /(?<=export const migrations: readonly Migration\[\] = \[[^\]]*)\]/,
        before: "{ name: '9999-deal-buyers', statements: () => ['alter table deals add column buyer text'] },\n",
        after: '',
      },
    ],
  },
  {
    file: dealService,
    edits: [
      { at: /title: deal\.title,\n/, after: 'buyer: deal.buyer ?? null,\n' },
      { at: /title: row\.title,\n/, after: 'buyer: row.buyer,\n' },
    ],
  },
  {
    file: dealPages,
    edits: [{ at: /title: text\('Title', \{ column: 'Deal' \}\),\n/, after: "buyer: text('Account'),\n" }],
  },
]

const examplesFile = 'packages/contract/src/docs/event-examples.ts'
const notesFile = 'packages/server/build/coverage-notes.ts'
const triggersFile = 'packages/server/src/modules/webhooks/trigger-service.ts'
const parseFile = 'packages/webhooks/src/parse.ts'
const fixturesFile = 'packages/webhooks/src/testing/fixtures.ts'

const eventSchema: Step = {
  file: 'packages/contract/src/events.ts',
  edits: [
    { at: /export const events = \{\n/, after: "  'visit.updated': 'a visit changes',\n" },
    {
      at: /export const eventSchemas = \{\n/,
      before: 'export const VisitInEvent = z.looseObject({ id: z.int(), visitor: z.string() })\n\n',
      after:
        "  'visit.updated': z.looseObject({ ...envelope('visit.updated'), visit: VisitInEvent, changes: Changes }),\n",
    },
  ],
}

const eventPayload: Step = {
  file: 'packages/webhooks/src/payloads.ts',
  edits: [
    {
      at: /export interface Payloads \{\n/,
      after: `  'visit.updated': Envelope<'visit.updated'> & {
    readonly visit: { readonly id: number; readonly visitor: string }
    readonly changes: Changes
  }
`,
    },
  ],
}

/** An event about another resource than all others. */
const eventSteps: readonly Step[] = [
  eventSchema,
  {
    file: examplesFile,
    edits: [
      {
        at: /export const eventExamples\b.*\{\n/,
        after: `  'visit.updated': {
    event: 'visit.updated',
    ...common,
    visit: { id: 4, visitor: 'Lena Fischer' },
    changes: { visitor: { from: 'Lena', to: 'Lena Fischer' } },
  },
`,
      },
    ],
  },
  { file: notesFile, edits: [{ at: /export const eventNotes\b.*\{\n/, after: "  'visit.updated': [payload],\n" }] },
  {
    file: triggersFile,
    edits: [
      { at: /^/, after: "import { enqueue } from '../../delivery/outbox/outbox.ts'\n" },
      {
        at: /const actionsFor\b.*\{\n/,
        after: `  'visit.updated': [
    (app, { workspaceId }, { overrides }) =>
      enqueue(app, workspaceId, {
        event: 'visit.updated',
        visit: { id: 4, visitor: String(overrides?.visit?.['visitor']) },
        changes: {},
      }),
  ],
`,
      },
    ],
  },
  eventPayload,
  { file: parseFile, edits: [{ at: /const subjects\b.*\{\n/, after: "  'visit.updated': 'visit',\n" }] },
  {
    file: fixturesFile,
    edits: [
      {
        at: /export const fixtures\b.*\{\n/,
        after: "  'visit.updated': { ...envelope('visit.updated'), visit: { id: 4, visitor: 'Lena' }, changes: {} },\n",
      },
    ],
  },
]

const allSteps = [...steps, ...fieldSteps, ...eventSteps]

/** Returns the edited files by their path from the root of the repository. */
function editedBy(taken: readonly Step[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { file, edits } of taken) {
    const edited = edits.reduce((text, { at, before = '', after }) => {
      if (!at.test(text)) throw new Error(`${file} does not match ${at}.`)
      return text.replace(at, (declaration) => before + declaration + after)
    }, files.get(file) ?? readRepoFile(file))
    files.set(file, edited)
  }
  return files
}

const checked = [valuesFile, docsFile, handlersFile, dealService, dealPages]
const checkedForEvents = [examplesFile, notesFile, triggersFile, parseFile, fixturesFile]
/** They name all events or resources, and follow from the steps. */
const derived = ['packages/server/src/modules/webhooks/trigger-input.ts', 'packages/webhooks/src/event.test.ts']
const clientTests = readdirSync(join(repoRoot, 'packages/client/test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `packages/client/test/${name}`)

it('reports each forgotten step as a compiler error in the file that needs it', () => {
  expect(errorsWith(editedBy([route]), checked)).toEqual([
    expect.stringMatching(`^${valuesFile}: [^]*Property ''?"?tasks.postpone`),
    expect.stringMatching(`^${docsFile}: [^]*Property '"tasks.postpone"' is missing`),
    expect.stringMatching(`^${handlersFile}: [^]*Property '"tasks.postpone"' is missing`),
  ])
  expect(errorsWith(editedBy(fieldSchemas), checked)).toEqual([
    expect.stringMatching(`^${dealService}: [^]*Property 'buyer' is missing`),
  ])
  const missing = (file: string) => expect.stringMatching(`^${file}: [^]*Property '"visit.updated"' is missing`)
  expect(errorsWith(editedBy([eventSchema]), checkedForEvents)).toEqual(
    [examplesFile, notesFile, triggersFile].map(missing),
  )
  expect(errorsWith(editedBy([eventSchema, eventPayload]), [parseFile, fixturesFile])).toEqual(
    [parseFile, fixturesFile].map(missing),
  )
  expect(errorsWith(editedBy(allSteps), [...checked, ...checkedForEvents, ...derived, ...clientTests])).toEqual([])
}, 600_000)

/** The suites that go over all routes, which the command in CONTRIBUTING finds. */
function suitesOfAllRoutes(): string[] {
  const [, search = ''] = /\$\((git grep [^)]*)\)/.exec(readRepoFile('CONTRIBUTING.md')) ?? []
  return execSync(search, { cwd: repoRoot, encoding: 'utf8' }).trim().split('\n')
}

it('needs no other steps: the endpoint, the field, and the event work, and the suites that go over all routes pass', async () => {
  const edits = join(await freshDirectory(), 'edits.json')
  writeFileSync(edits, JSON.stringify(Object.fromEntries(editedBy(allSteps))))
  const files = ['test/tooling/added-endpoint.suite.ts', ...suitesOfAllRoutes()]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/tooling/edited.config.ts', ...files],
    {
      cwd: repoRoot,
      encoding: 'utf8',
      env: { ...process.env, EDITED_SOURCES: edits, DEFAULT_STORES: 'memory', NO_COLOR: '1' },
    },
  )
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toContain(`Test Files  ${files.length} passed`)
}, 600_000)
