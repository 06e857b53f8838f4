import { createAdmin } from '../../../admin/admin.ts'
import { seedDemo } from '../../../cli/demo-data.ts'
import type { App } from '../../../context.ts'
import { type Seeded, withFirsts } from '../seeded.ts'

/** The workspace that `service-server start --demo` shows. */
export async function plantDemo(app: App): Promise<Seeded> {
  const admin = createAdmin(app)
  const { workspace, token, secrets, device } = await seedDemo({ admin })
  const { leads, device: deviceSecret, ...others } = secrets
  const [issued] = await admin.tokens.list(workspace)
  const [door] = (await admin.devices.list(workspace)).filter(({ id }) => id === device.id)
  return withFirsts([
    {
      ...(await admin.workspaces.get(workspace)),
      ids: {},
      members: await admin.members.list(workspace),
      projects: await admin.projects.list(workspace),
      employees: await admin.employees.list(workspace),
      devices: door === undefined ? [] : [{ ...door, secret: deviceSecret }],
      subscriptions: [],
      tokens: issued === undefined ? [] : [{ ...issued, token }],
      secrets: { ...others, ...leads },
    },
  ])
}
