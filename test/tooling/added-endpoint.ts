import { createClient } from '@service/client'
import type { Scope } from '@service/contract'
import { coverageTable } from '../../packages/server/build/coverage-table.ts'
import { runChecks } from '../../packages/server/src/conformance/run-checks.ts'
import { createServer } from '../../packages/server/src/index.ts'
import { createOpenApiDocument } from '../../packages/server/src/openapi/document.ts'

// add-endpoint.test.ts bundles this file with the edited sources, so the endpoint exists only at run time.

const path = '/api/v1/workspaces/{workspace}/projects/{id}/toy'

/** Calls the added endpoint and looks for it in all places where endpoints are listed. */
export async function useAddedEndpoint() {
  const server = await createServer()
  try {
    const workspace = await server.admin.workspaces.create({ name: 'Acme' })
    const { id: user_id } = await server.admin.members.create(
      { workspace: workspace.id },
      { name: 'Ada Obi', email: 'ada@acme.example' },
    )
    const project = await server.admin.projects.create({ workspace: workspace.id }, { name: 'Relaunch' })
    const tokenFor = async (scope: Scope) =>
      (await server.admin.tokens.create({ workspace: workspace.id }, { user_id, scopes: [scope] })).token
    const get = async (token: string, id: number) => {
      const client = createClient({
        baseUrl: `${server.origin}/api/v1`,
        token,
        workspace: workspace.id,
        fetch: (request) => server.fetch(request),
        maxRetries: 0,
      })
      const added = Object(client.projects).toy(id)
      return added.safe()
    }
    const token = await tokenFor('projects:read')
    const { data } = await get(token, project.id)
    const findings = await runChecks(
      {
        baseUrl: `${server.origin}/api/v1`,
        webhookBaseUrl: `${server.origin}/api`,
        workspace: workspace.id,
        token,
        secrets: {},
        fetch: (request) => server.fetch(request),
      },
      { write: false },
    )
    return {
      found: { id: data.id, name: data.name },
      missing: (await get(token, 999)).error.status,
      withoutScope: (await get(await tokenFor('tickets:read'), project.id)).error.status,
      operation: createOpenApiDocument().paths?.[path]?.get?.operationId,
      inTable: coverageTable().includes(`GET ${path}`),
      conformance: findings.find(({ check }) => check.operation === 'projects.toy')?.result,
    }
  } finally {
    await server.close()
  }
}
