import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { bundleWith } from './edited-bundle.ts'
import { errorsWith } from './edited-types.ts'
import { readRepoFile, repoRoot } from './repo.ts'

// CONTRIBUTING says what adding an endpoint takes. Here one is added, in memory, to the sources as they are: the routes
// lack "get one project". When a step no longer suffices, or its file is elsewhere, this test says so.

interface Step {
  readonly file: string
  /** The text that is inserted, before the first place where the other one is. */
  readonly insert: readonly (readonly [text: string, before: string])[]
}

const contractFile = 'packages/contract/src/projects.ts'
const handlersFile = 'packages/server/src/modules/projects/routes.ts'
const clientTypesTest = 'packages/client/test/contract-types.test.ts'

const route: Step = {
  file: contractFile,
  insert: [
    ['dataOf, ', 'day, instant'],
    [
      `export const getProject = {
  operation: 'projects.get',
  method: 'GET',
  surface: 'api',
  path: '/workspaces/{workspace}/projects/{id}',
  scope: 'projects:read',
  answers: { 200: dataOf(Project) },
  refusals: apiReadRefusals,
} as const satisfies ApiRoute

`,
      'export const projectRoutes =',
    ],
    ['getProject, ', 'listProjects] as const'],
  ],
}

const documentation: Step = {
  file: contractFile,
  insert: [
    [
      `  'projects.get': {
    tag: 'Projects',
    summary: 'Get a project',
    description: 'One project of the workspace.',
    answers: {
      project: {
        data: { ...relaunch, status: 'active', color: null, starts_at: null, due_at: null, created_at: '2026-09-24T08:15:00.250000Z' },
      },
    },
    notes: { does: 'Reads a project.', madeBy: ['create.project'], decisions: [] },
  },
`,
      "  'projects.list': {\n    tag:",
    ],
  ],
}

const service: Step = {
  file: 'packages/server/src/modules/projects/service.ts',
  insert: [
    [
      `export async function showProject(app: App, { workspaceId, id }: { workspaceId: number; id: number }): Promise<Project> {
  const row = await queries.findProject(app.db, workspaceId, id)
  if (row === undefined) throw notFound('project', id)
  return toProject(row)
}

`,
      'export function createProject',
    ],
  ],
}

const handler: Step = {
  file: handlersFile,
  insert: [
    ["'projects.get': async (app, at) => ({ data: await service.showProject(app, at) }),\n  ", "'projects.list':"],
  ],
}

const method: Step = {
  file: 'packages/client/src/resources/projects.ts',
  insert: [
    ['getProject, ', "listProjects } from '@service/contract/projects'"],
    ['  get(id: number, options?: CallOptions): Call<Project>\n', '}\n\nexport const projects ='],
    ['get: send.data(getProject), ', 'list: send.data(listProjects)'],
  ],
}

/** What the route needs besides itself, in the order of CONTRIBUTING. */
const others = [documentation, service, handler, method]
const steps = [route, ...others]

/** The files as they are after these steps, by their path from the root of the repository. */
function editedBy(taken: readonly Step[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { file, insert } of taken) {
    const edited = insert.reduce((text, [inserted, before]) => {
      if (!text.includes(before)) throw new Error(`${file} no longer has the text ${JSON.stringify(before)}.`)
      return text.replace(before, () => inserted + before)
    }, files.get(file) ?? readRepoFile(file))
    files.set(file, edited)
  }
  return files
}

const looksAt = [contractFile, handlersFile, clientTypesTest]

it('takes at most five files, each of which CONTRIBUTING names', () => {
  const touched = [...editedBy(steps).keys()]
  expect(touched.length).toBeLessThanOrEqual(5)
  const section = /## Adding an endpoint\n([\s\S]*?)\n## /.exec(readRepoFile('CONTRIBUTING.md'))?.[1] ?? ''
  for (const file of touched) {
    const [, folder = ''] = /^(packages\/\w+\/src\/(?:modules|resources)?)/.exec(file) ?? []
    expect([file, section.includes(folder)]).toEqual([file, true])
  }
})

it('names every step that was forgotten in an error of the file where it belongs', () => {
  expect(errorsWith(editedBy([route]), looksAt)).toEqual([
    expect.stringMatching(`^${contractFile}: [^]*Property '"projects.get"' is missing`),
    expect.stringMatching(`^${handlersFile}: [^]*Property '"projects.get"' is missing`),
    expect.stringContaining(
      `${clientTypesTest}: Type '"none"' is not assignable to type '"the client lacks projects.get"'`,
    ),
  ])
  expect(errorsWith(editedBy(steps), looksAt)).toEqual([])
})

it('needs nothing more: the endpoint answers, and is in the document, the table and the conformance checks', async () => {
  const folder = join(repoRoot, 'packages/server/node_modules', `.added-endpoint-${process.pid}`)
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const bundle = await bundleWith(editedBy(steps), { folder, entry: 'test/tooling/added-endpoint.ts' })
  const { useAddedEndpoint } = await import(/* @vite-ignore */ pathToFileURL(bundle).href)
  expect(await useAddedEndpoint()).toEqual({
    found: { id: 1, name: 'Relaunch' },
    missing: 404,
    withoutScope: 403,
    operation: 'projects.get',
    inTable: true,
    conformance: 'same',
  })
})
