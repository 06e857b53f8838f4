import { expect, test } from 'vitest'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { enableAll, inboundOf, siteIn, startOpenSite, startSite } from './inbound-site.ts'

/** An open site with one employee and two devices. */
async function startClocking(start: Start, options: Parameters<typeof startOpenSite>[1] = {}) {
  const site = await startOpenSite(start, options)
  const { server, workspaceId: workspace_id } = site
  const [member] = (await server.admin.members.list({ workspace: workspace_id })).data.toReversed()
  const user_id = member?.id ?? 0
  await server.admin.employees.create(
    { workspace: workspace_id },
    { user_id, employee_code: 'E-1', attendance_uid: '1001' },
  )
  const device = async (external_device_id: string) => {
    const {
      secret: _,
      time_zone: __,
      timestamp_format: ___,
      ...device
    } = await server.admin.devices.create(
      { workspace: workspace_id },
      { source_type: 'zkteco', device_name: 'Door', external_device_id },
    )
    return device
  }
  return { ...site, user_id, front: await device('DOOR-1'), back: await device('DOOR-2') }
}

const morning = {
  employee_code: 'E-1',
  external_device_id: 'DOOR-1',
  direction: 'in',
  timestamp: '2026-11-20T09:00:00+01:00',
} as const
const evening = { ...morning, direction: 'out', timestamp: '2026-11-20T17:30:00+01:00' } as const

onEveryStore('a punch by webhook', (start) => {
  test('is recorded, and the response has its attendance session', async () => {
    const { server, workspaceId, inbound, user_id, front } = await startClocking(start)
    const first = await inbound.attendance.punch(morning)
    const checkIn = {
      received: true,
      recorded: true,
      action: 'check_in',
      duplicate: false,
      user_id,
      check_in_at: '2026-11-20T08:00:00.000000Z',
      check_out_at: null,
      device_id: front.id,
      punch_id: expect.any(Number),
    }
    expect(first).toEqual(checkIn)
    expect(await inbound.attendance.punch(morning)).toEqual({ ...first, duplicate: true })
    expect(await inbound.attendance.punch(evening)).toEqual({
      ...checkIn,
      action: 'check_out',
      check_out_at: '2026-11-20T16:30:00.000000Z',
    })
    expect((await server.admin.attendance.sessions({ workspace: workspaceId })).data).toMatchObject([
      { check_in_at: '2026-11-20T08:00:00.000000Z', check_out_at: '2026-11-20T16:30:00.000000Z', day: '2026-11-20' },
    ])
    expect((await server.admin.punches.list({ workspace: workspaceId })).data).toMatchObject([
      { via: 'webhook' },
      { via: 'webhook' },
    ])
    expect((await server.admin.inboundDeliveries.list({ workspace: workspaceId })).data).toMatchObject([
      { integration: 'attendance', status: 200, summary: 'check_out' },
      { integration: 'attendance', status: 200, summary: 'check_in' },
      { integration: 'attendance', status: 200, summary: 'check_in' },
    ])
  })

  test('is no duplicate of itself in a preview of its delivery', async () => {
    const { server, workspaceId: workspace, inbound } = await startClocking(start)
    await inbound.attendance.punch(morning)
    await inbound.attendance.punch(morning)
    const { data } = await server.admin.inboundDeliveries.list({ workspace })
    const explained = data.map(({ id }) => server.admin.attendance.explain({ workspace }, { delivery_id: id }))
    const outcomes = (await Promise.all(explained)).map((answer) => answer.data[0]?.outcome)
    expect(outcomes).toEqual(['duplicate', 'recorded'])
  })

  test('follows the same rules as a REST punch', async () => {
    const { server, workspaceId, token, inbound } = await startClocking(start)
    const path = `/api/v1/workspaces/${workspaceId}/hrms/attendance/punch`
    const { body } = await call(server, { method: 'POST', path, token, body: morning })
    const { received, ...out } = await inbound.attendance.punch(evening)
    expect([received, out]).toEqual([
      true,
      { ...body, action: 'check_out', check_out_at: '2026-11-20T16:30:00.000000Z', punch_id: expect.any(Number) },
    ])
  })

  test('of an unknown device or employee is stored, gets a response that lists the devices, and can be replayed', async () => {
    const { server, workspaceId: workspace_id, user_id, inbound, front, back } = await startClocking(start)
    const result = await inbound.attendance.punch({ ...morning, external_device_id: 'DOOR-9' }).safe()
    expect(result).toMatchObject({ ok: true, meta: { status: 422 } })
    expect(result.ok && result.data).toEqual({
      received: true,
      recorded: false,
      reason: 'device_not_found',
      hint: expect.stringContaining('Register the device'),
      registered_devices: [front, back],
    })
    expect(await inbound.attendance.punch({ ...morning, employee_code: 'E-9' })).toMatchObject({
      recorded: false,
      reason: 'employee_not_found',
      registered_devices: [front, back],
    })
    const waiting = (await server.admin.attendance.unmatched({ workspace: workspace_id })).data
    expect(waiting.map(({ reason, via }) => [reason, via])).toEqual([
      ['employee_not_found', 'webhook'],
      ['device_not_found', 'webhook'],
    ])
    const [person, door] = waiting.map(({ id }) => ({ workspace_id, id }))
    if (person === undefined || door === undefined) throw new Error('Nothing is waiting.')
    expect(await server.admin.attendance.replay({ workspace: door.workspace_id, id: door.id })).toMatchObject({
      recorded: false,
      reason: 'device_not_found',
    })
    const device = { source_type: 'zkteco', device_name: 'Gate', external_device_id: 'DOOR-9' }
    await server.admin.devices.create({ workspace: workspace_id }, device)
    expect(await server.admin.attendance.replay({ workspace: door.workspace_id, id: door.id })).toMatchObject({
      recorded: true,
      user_id,
      check_in_at: '2026-11-20T08:00:00.000000Z',
    })
    expect((await server.admin.attendance.unmatched({ workspace: workspace_id })).data).toMatchObject([
      { id: person.id },
    ])
    await expect(server.admin.attendance.replay({ workspace: door.workspace_id, id: door.id })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('can be replayed over HTTP with the administration token', async () => {
    const adminToken = 'service_admin_0123456789'
    const { server, workspaceId, inbound } = await startClocking(start, { adminToken })
    await inbound.attendance.punch({ ...morning, external_device_id: 'DOOR-9' })
    await server.admin.devices.create(
      { workspace: workspaceId },
      { source_type: 'kiosk', device_name: 'K', external_device_id: 'DOOR-9' },
    )
    const list = `/admin/v1/workspaces/${workspaceId}/unmatched-punches`
    const { body } = await call(server, { path: list, token: adminToken })
    const replay = { method: 'POST', path: `${list}/${body.data[0].id}/replay` }
    expect((await call(server, replay)).status).toBe(401)
    expect(await call(server, { ...replay, token: adminToken })).toMatchObject({
      status: 200,
      body: { recorded: true },
    })
    expect((await call(server, { path: list, token: adminToken })).body).toEqual({ data: [], next_before: null })
    expect((await call(server, { ...replay, token: adminToken })).status).toBe(404)
  })

  test('of an unknown device gets the configured status 200', async () => {
    const { inbound } = await startClocking(start, { deviceNotFoundStatus: 200 })
    const { data, meta } = await inbound.attendance.punch({ ...morning, external_device_id: 'DOOR-9' }).withMeta()
    expect([meta.status, data.recorded, data.recorded || data.reason]).toEqual([200, false, 'device_not_found'])
    const missing = await inbound.attendance.punch({ employee_code: 'E-1' }).safe()
    expect(missing).toMatchObject({ error: { status: 422, errors: { device_id: [expect.any(String)] } } })
  })

  test.each([
    [{ employee_code: undefined }, 'employee_code'],
    [{ external_device_id: undefined }, 'device_id'],
    [{ timestamp: '2026-11-20T09:00:00' }, 'timestamp'],
    [{ timestamp: '2026-02-31T09:00:00Z' }, 'timestamp'],
    [{ timestamp: '2026-11-20T18:58:00Z' }, 'timestamp'],
    [{ timestamp: '2026-10-01T09:00:00Z' }, 'timestamp'],
    [{ timestamp: 1_795_200_713 }, 'timestamp'],
    [{ direction: 'sideways' }, 'direction'],
    [{ attendance_uid: '9999' }, 'attendance_uid'],
  ])('with %o is refused and named in the last deliveries', async (change, field) => {
    const { server, workspaceId, inbound } = await startClocking(start)
    const wrong = { ...morning, ...change } as typeof morning // some are wrong on purpose
    expect(await inbound.attendance.punch(wrong).safe()).toMatchObject({
      ok: false,
      error: {
        name: 'ValidationError',
        errors: { [field]: [expect.any(String)] },
      },
    })
    expect((await server.admin.punches.list({ workspace: workspaceId })).data).toEqual([])
    expect((await server.admin.inboundDeliveries.list({ workspace: workspaceId })).data).toMatchObject([
      { status: 422 },
    ])
  })

  test("with a device's own secret belongs to that device, regardless of its body", async () => {
    const site = await startClocking(start)
    const { server, workspaceId: workspace_id, front, back } = site
    const { secret } = await server.admin.devices.rotateSecret({ workspace: workspace_id, id: back.id })
    const { attendance } = inboundOf(site, { secrets: { device: secret } })
    const { external_device_id: _, ...bare } = morning
    expect(await attendance.punch(bare)).toMatchObject({ recorded: true, device_id: back.id })
    const claims = { device_id: front.id, external_device_id: 'DOOR-1', source_type: 'mobile' }
    for (const [field, claim] of Object.entries(claims)) {
      expect(await attendance.punch({ ...bare, [field]: claim }).safe()).toMatchObject({
        error: { name: 'ValidationError', errors: { [field]: [expect.stringContaining('does not agree')] } },
      })
    }
    expect((await server.admin.punches.list({ workspace: workspace_id })).data).toHaveLength(1)
  })

  test("is refused with a revoked device secret and with the secret of another workspace's device", async () => {
    const site = await startClocking(start)
    const { server, clock, workspaceId: workspace_id, front } = site
    const { secret } = await server.admin.devices.rotateSecret({ workspace: workspace_id, id: front.id })
    await server.admin.devices.rotateSecret({ workspace: workspace_id, id: front.id })
    const other = await siteIn(server, clock, 'Other')
    await enableAll(other)
    const device = { source_type: 'kiosk', device_name: 'K' }
    const theirs = await server.admin.devices.create({ workspace: other.workspaceId }, device)
    for (const wrong of [secret, theirs.secret, 'whs_wrong']) {
      const { attendance } = inboundOf(site, { secrets: { device: wrong } })
      expect(await attendance.punch(morning).safe()).toMatchObject({ error: { status: 401 } })
    }
    expect((await server.admin.punches.list({ workspace: workspace_id })).data).toEqual([])
  })

  test('is refused without a secret, with a wrong secret, and with a revoked one', async () => {
    const site = await startClocking(start)
    const { server, workspaceId: workspace_id, secrets } = site
    const statusWith = async (given: object) =>
      (await inboundOf(site, { secrets: given }).attendance.punch(morning).safe()).meta.status
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ attendance: secrets.errors })).toBe(401)
    const fresh = await server.admin.integrations.rotateSecret({ workspace: workspace_id, integration: 'attendance' })
    expect(await statusWith(secrets)).toBe(401)
    expect(await statusWith({ attendance: fresh.secret })).toBe(200)
    await server.admin.integrations.update({ workspace: workspace_id, integration: 'attendance' }, { enabled: false })
    expect(await statusWith({ attendance: fresh.secret })).toBe(404)
  })

  test('gets a 404 response if attendance was never enabled, with or without a secret', async () => {
    const site = await startSite(start)
    for (const secrets of [{}, { attendance: 'whs_any' }, { device: 'whs_any' }]) {
      expect(await inboundOf(site, { secrets }).attendance.punch(morning).safe()).toMatchObject({
        error: { status: 404 },
      })
    }
  })
})
