import type { Admin } from '@service/client/admin'
import demo from '../src/testing/seeds/scenarios/demo.json' with { type: 'json' }

/** Makes the scenario `demo` through the admin API, for servers that are no test double; gives back its workspace. */
export async function seedDemo(admin: Admin): Promise<number> {
  const [{ name, currency, lead_sources, integrations, ...sections } = demo.workspaces[0]] = demo.workspaces
  const { id: workspace } = await admin.workspaces.create({ name, currency })
  const ids = new Map<unknown, number>()
  for (const [section, items] of Object.entries(sections)) {
    const { create } = admin[section as keyof typeof sections] as { create: Create } // each section is called as its part of the client
    for (const { key, ...fields } of items as readonly Fields[]) {
      const resolved = Object.entries(fields).map(([field, value]) => [field, ids.get(value) ?? value])
      const made = await create({ workspace }, Object.fromEntries(resolved))
      if (key !== undefined) ids.set(key, made.id)
    }
  }
  for (const { source } of lead_sources) {
    await admin.leadSources.update({ workspace, source } as LeadSourceAt, { enabled: true })
    await admin.leadSources.rotateSecret({ workspace, source } as LeadSourceAt)
  }
  for (const { kind } of integrations.filter(({ open_tickets }) => open_tickets === undefined))
    await admin.integrations.rotateSecret({ workspace, integration: kind } as IntegrationAt)
  return workspace
}

type Fields = Readonly<Record<string, unknown>>
type Create = (at: { workspace: number }, fields: Fields) => Promise<{ id: number }>
type LeadSourceAt = Parameters<Admin['leadSources']['rotateSecret']>[0]
type IntegrationAt = Parameters<Admin['integrations']['rotateSecret']>[0]
