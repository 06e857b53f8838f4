import type { SeededWorkspace } from '../data/seed.ts'
import type { ServerProcess } from '../processes/server.ts'

// A floor that answers something else measures something else. These run before each comparison.

/** Every list has the same bytes on every server. */
export async function requireSameLists(
  servers: readonly ServerProcess[],
  workspaces: readonly SeededWorkspace[],
): Promise<void> {
  for (const workspace of workspaces) {
    await requireSame(servers, (server) => ask(server, workspace))
  }
}

/** Every creation has the same answer on every server, but for the instant. */
export async function requireSameCreations(
  servers: readonly ServerProcess[],
  workspace: SeededWorkspace,
  body: string,
): Promise<void> {
  await requireSame(servers, async (server) =>
    (await ask(server, workspace, body)).replace(/"created_at":"[^"]+"/, '"created_at":"…"'),
  )
}

async function requireSame(servers: readonly ServerProcess[], answerOf: (server: ServerProcess) => Promise<string>) {
  const answers = await Promise.all(servers.map(answerOf))
  if (new Set(answers).size > 1) throw new Error(`The answers differ:\n${answers.join('\n')}`)
}

async function ask({ baseUrl }: ServerProcess, { id, token }: SeededWorkspace, body?: string): Promise<string> {
  const response = await fetch(`${baseUrl}/workspaces/${id}/tickets`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body ?? null,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${baseUrl} answered ${response.status}: ${text}`)
  return text
}
