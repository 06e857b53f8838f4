import type { TxApp } from '../../../context.ts'
import { createAdmin } from '../../../http/in-process-admin.ts'
import { seedCompany } from '../company/seed-company.ts'
import { type Seeded, withFirsts } from '../seed-state.ts'
import { type DemoCredentials, seedDemo } from './demo-data.ts'

/** A small workspace with something of everything that the API lists, for tests. */
export const applyDemo = async (app: TxApp): Promise<Seeded> => seededBy(app, await seedDemo(createAdmin(app)))

/** The workspace that `service-server start --demo` shows. */
export const applyCompany = async (app: TxApp): Promise<Seeded> => seededBy(app, await seedCompany(app))

async function seededBy(app: TxApp, { workspace, token, secrets, device }: DemoCredentials): Promise<Seeded> {
  const admin = createAdmin(app)
  const { leads, device: deviceSecret, ...others } = secrets
  const tokens = (await admin.tokens.list({ workspace })).data.toReversed()
  const issued = tokens.find(({ hint }) => token.endsWith(hint))
  const [door] = (await admin.devices.list({ workspace })).data.toReversed().filter(({ id }) => id === device.id)
  return withFirsts([
    {
      ...(await admin.workspaces.get({ workspace })),
      ids: {},
      members: (await admin.members.list({ workspace })).data.toReversed(),
      projects: (await admin.projects.list({ workspace })).data.map((each) => ({ ...each })),
      employees: (await admin.employees.list({ workspace })).data.map((each) => ({ ...each })),
      devices: door === undefined ? [] : [{ ...door, secret: deviceSecret }],
      subscriptions: [],
      tokens: issued === undefined ? [] : [{ ...issued, token }],
      secrets: { ...others, ...leads },
    },
  ])
}
