import type { SeededWorkspace } from '../data/seed.ts'
import type { ServerProcess } from '../processes/server.ts'

// A floor that answers something else measures something else. These run before each comparison.

interface Contestant {
  readonly server: ServerProcess
  readonly workspaces: readonly SeededWorkspace[]
}

/** Every list has the same bytes on every server. */
export async function requireSameLists([first, ...others]: readonly Contestant[]): Promise<void> {
  if (first === undefined) return
  for (const workspace of first.workspaces) {
    const expected = await (await ask(first.server, workspace)).text()
    for (const { server } of others) {
      if ((await (await ask(server, workspace)).text()) !== expected) {
        throw new Error(
          `The lists of workspace ${workspace.id} differ between ${first.server.baseUrl} and ${server.baseUrl}.`,
        )
      }
    }
  }
}

/** Every creation has the same answer on every server, but for the instant. */
export async function requireSameCreations(
  servers: readonly ServerProcess[],
  workspace: SeededWorkspace,
  body: string,
): Promise<void> {
  const answers = await Promise.all(
    servers.map(async (server) => {
      const text = await (await ask(server, workspace, body)).text()
      return text.replace(/"created_at":"[^"]+"/, '"created_at":"…"')
    }),
  )
  if (new Set(answers).size > 1) throw new Error(`The creations differ:\n${answers.join('\n')}`)
}

async function ask({ baseUrl }: ServerProcess, { id, token }: SeededWorkspace, body?: string): Promise<Response> {
  const response = await fetch(`${baseUrl}/workspaces/${id}/tickets`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body ?? null,
  })
  if (!response.ok) throw new Error(`${baseUrl} answered ${response.status}: ${await response.text()}`)
  return response
}
