import type { Admin } from '@service/client/admin'
import { liveScopes } from '@service/contract'
import demo from '../src/testing/seeds/scenarios/demo.json' with { type: 'json' }

/** Creates the scenario `demo` through the admin API, for servers without test controls. Returns the workspace's id. */
export async function seedDemo(admin: Admin): Promise<number> {
  const [workspaceData] = demo.workspaces
  if (workspaceData === undefined) throw new Error('The demo has no workspace.')
  const { name, currency, lead_sources, integrations, tokens, ...sections } = workspaceData
  const { id: workspace } = await admin.workspaces.create({ name, currency })
  const ids = new Map<unknown, number>()
  const resolved = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, ids.get(value) ?? value]))
  for (const [section, items] of Object.entries(sections)) {
    const { create } = admin[section as keyof typeof sections] as { create: Create } // each section is named like its part of the client
    for (const { key, ...fields } of items as readonly Fields[]) {
      const created = await create({ workspace }, resolved(fields))
      if (key !== undefined) ids.set(key, created.id)
    }
  }
  for (const { source } of lead_sources) {
    const at = { workspace, source } as Parameters<Admin['leadSources']['update']>[0] // the format of the data
    await admin.leadSources.update(at, { enabled: true })
    await admin.leadSources.rotateSecret(at)
  }
  for (const { kind, open_tickets } of integrations) {
    const at = { workspace, integration: kind } as Parameters<Admin['integrations']['update']>[0] // the format of the data
    if (open_tickets === undefined) await admin.integrations.rotateSecret(at)
    else await admin.integrations.update(at, { enabled: true, open_tickets })
  }
  for (const token of tokens) {
    const user_id = ids.get(token.user_id) ?? 0
    await admin.tokens.create({ workspace }, { user_id, name: token.name, scopes: [...liveScopes] })
  }
  return workspace
}

type Fields = Readonly<Record<string, unknown>>
type Create = (at: { workspace: number }, fields: Fields) => Promise<{ id: number }>
