import type { Server } from '../src/index.ts'

/** Fills the path parameters of dashboard pages with records of the demo workspace. */
export async function examplesOf(server: Server, workspace: number): Promise<(path: string) => string> {
  const { admin } = server
  const at = { workspace }
  const first = async (list: PromiseLike<{ data: readonly { id: number }[] }>) => (await list).data[0]?.id
  const channel = await admin.channels.create(at, { name: 'general' })
  await admin.messages.create(at, { channel_id: channel.id, body: 'The parcels of today are out.' })
  await makeInbound(server, workspace)
  const endpoint = await admin.webhooks.create(at, { url: 'https://hooks.example.test/in', events: ['task.*'] })
  const delivery = await admin.webhooks.sendTest({ workspace, id: endpoint.id }, { event: 'task.created' })
  const rule = await admin.rules.create(at, {
    name: 'Call about what is urgent',
    trigger: 'ticket_created',
    conditions: [{ field: 'priority', operator: 'equals', value: 'urgent' }],
    actions: [{ type: 'add_tag', tag: 'call' }],
  })
  const punch = await admin.punches.create(at, {
    employee_id: (await first(admin.employees.list(at))) ?? 0,
    direction: 'in',
    at: new Date().toISOString(),
    reason: 'Forgot the card',
  })
  const { id: person = 0 } = (await admin.members.list(at)).data[0] ?? {}
  /** The value of a parameter, by the preceding path segment. */
  const ids: Readonly<Record<string, number | string | undefined>> = {
    tickets: await first(admin.tickets.list(at)),
    tasks: await first(admin.tasks.list(at)),
    projects: await first(admin.projects.list(at)),
    deals: await first(admin.deals.list(at)),
    accounts: await first(admin.accounts.list(at)),
    leads: await first(admin.leads.list(at)),
    'lead-sources': 'website',
    employees: await first(admin.employees.list(at)),
    devices: await first(admin.devices.list(at)),
    punches: punch.id,
    messages: channel.id,
    errors: await first(admin.errorReports.list(at)),
    webhooks: endpoint.id,
    deliveries: delivery.id,
    integrations: 'errors',
    automation: rule.id,
    people: person,
    backups: 'missing.backup',
  }
  /** Pages opened by links. */
  const linked: Readonly<Record<string, string>> = {
    '/dashboard/setup': `/dashboard${(await admin.setupLinks.create()).link}`,
    '/dashboard/reset-password': `/dashboard${(await admin.users.resetPassword({ id: person })).link}`,
  }
  return (path) =>
    linked[path] ??
    path.replace(/\{(\w+)\}/g, (_, name: string, offset: number) => {
      if (name === 'workspace') return String(workspace)
      const parent = path.slice(0, offset).split('/').at(-2) ?? ''
      const id = ids[parent]
      if (id === undefined) throw new Error(`Add an example for {${name}} in ${path} to dashboard-examples.ts.`)
      return String(id)
    })
}

/** Inbound deliveries: a lead, an error, and a punch by an unknown person. */
async function makeInbound(server: Server, workspace: number): Promise<void> {
  const { admin } = server
  const at = { workspace }
  const send = async (path: string, secret: string, body: object) => {
    const answer = await server.fetch(`${server.origin}/api/webhooks/${workspace}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secret },
      body: JSON.stringify(body),
    })
    // A punch by an unknown person gets 422 and is stored.
    if (!answer.ok && answer.status !== 422) throw new Error(`${path}: ${await answer.text()}`)
  }
  const leads = await admin.leadSources.rotateSecret({ ...at, source: 'website' })
  const person = { name: 'Sofia Marchetti', email: 'sofia@marchetti.example', message: 'About 40 cases a week.' }
  await send('leads/website', leads.secret, person)
  const errors = await admin.integrations.rotateSecret({ ...at, integration: 'errors' })
  const frames = [{ file: 'src/cart/total.ts', line: 41, function: 'Cart.total' }]
  await send('errors', errors.secret, { exception: 'CheckoutError', message: 'The cart is empty', app: 'shop', frames })
  const attendance = await admin.integrations.rotateSecret({ ...at, integration: 'attendance' })
  await send('attendance', attendance.secret, { employee_code: 'E-999', external_device_id: 'DEMO-DOOR-1' })
}
