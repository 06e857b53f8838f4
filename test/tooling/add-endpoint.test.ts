import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { bundleWith } from './edited-bundle.ts'
import { errorsWith } from './edited-types.ts'
import { readRepoFile, repoRoot } from './repo.ts'

// Adds a toy endpoint in memory with the steps in CONTRIBUTING. The code is inserted at the top of a file or the beginning of
// a declaration, so that it does not depend on real endpoints.

interface Step {
  readonly file: string
  /** The beginning of a declaration, and the text to insert before and after it. */
  readonly edits: readonly { readonly at: RegExp; readonly before?: string; readonly after: string }[]
}

const contractFile = 'packages/contract/src/projects.ts'
const docsFile = 'packages/contract/src/docs/projects.ts'
const handlersFile = 'packages/server/src/modules/projects/routes.ts'
const clientTypesTest = 'packages/client/test/contract-types.test.ts'
const top = /^/

const route: Step = {
  file: contractFile,
  edits: [
    { at: top, after: "import { dataOf as toyData } from './fields.ts'\n" },
    {
      at: /export const projectRoutes = \[/,
      before: `export const getToy = {
  ...apiRead,
  operation: 'projects.toy',
  path: '/workspaces/{workspace}/projects/{id}/toy',
  scope: 'projects:read',
  responses: { 200: toyData(Project) },
} as const satisfies ApiRoute

`,
      after: 'getToy, ',
    },
  ],
}

const documentation: Step = {
  file: docsFile,
  edits: [
    {
      at: /export const projectDocs\b.*\{\n/,
      after: `  'projects.toy': {
    summary: 'Get the toy of a project',
    description: 'One project of the workspace.',
    responses: {
      project: {
        data: { id: 1, name: 'Toy', status: 'active', color: null, starts_at: null, due_at: null, created_at: '2026-09-24T08:15:00.250000Z' },
      },
    },
    notes: { does: 'Reads a project.', createdWith: ['create.project'], decisions: [] },
  },
`,
    },
  ],
}

const handler: Step = {
  file: handlersFile,
  edits: [
    {
      at: /export const projectHandlers = \{\n/,
      after: "  'projects.toy': async (app, at) => ({ data: await service.getProject(app, at) }),\n",
    },
  ],
}

const method: Step = {
  file: 'packages/client/src/resources/projects.ts',
  edits: [
    { at: top, after: "import { getToy } from '@service/contract/projects'\n" },
    { at: /export interface Projects \{\n/, after: '  toy(id: number, options?: CallOptions): Call<Project>\n' },
    { at: /export const projects = .*\{/, after: ' toy: send.data(getToy),' },
  ],
}

/** The steps in the order of CONTRIBUTING. */
const steps = [route, documentation, handler, method]

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

const checked = [docsFile, handlersFile, clientTypesTest]

it('reports each forgotten step as a compiler error in the file that needs it', () => {
  expect(errorsWith(editedBy([route]), checked)).toEqual([
    expect.stringMatching(`^${docsFile}: [^]*Property '"projects.toy"' is missing`),
    expect.stringMatching(`^${handlersFile}: [^]*Property '"projects.toy"' is missing`),
    expect.stringContaining(
      `${clientTypesTest}: Type '"none"' is not assignable to type '"the client lacks projects.toy"'`,
    ),
  ])
  expect(errorsWith(editedBy(steps), checked)).toEqual([])
})

it('needs no other steps: the endpoint works and is in the OpenAPI document, the coverage table, and the conformance checks', async () => {
  const folder = join(repoRoot, 'packages/server/node_modules', `.added-endpoint-${process.pid}`)
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const bundle = await bundleWith(editedBy(steps), { folder, entry: 'test/tooling/added-endpoint.ts' })
  const { useAddedEndpoint } = await import(/* @vite-ignore */ pathToFileURL(bundle).href)
  expect(await useAddedEndpoint()).toEqual({
    found: { id: 1, name: 'Relaunch' },
    missing: 404,
    withoutScope: 403,
    operation: 'projects.toy',
    inTable: true,
    conformance: 'same',
  })
})
