import { expect, test } from 'vitest'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { call } from '../workspace.ts'
import { startOpenSite } from './inbound-site.ts'

/** An open site with one employee and one device that has its own secret. */
async function startDoor(start: Start) {
  const site = await startOpenSite(start)
  const { server, workspaceId: workspace } = site
  const [member] = (await server.admin.members.list({ workspace })).data
  const employee = { user_id: member?.id ?? 0, employee_code: 'E-1', attendance_uid: '1001' }
  const { id: employee_id } = await server.admin.employees.create({ workspace }, employee)
  const device = { source_type: 'zkteco', device_name: 'Front door', external_device_id: 'DOOR-1' }
  const { id: device_id, secret } = await server.admin.devices.create({ workspace }, device)
  const send = (
    body: object,
    headers: Record<string, string> = { 'x-service-webhook-secret': site.secrets.attendance },
  ) => call(server, { method: 'POST', path: `/api/webhooks/${workspace}/attendance`, headers, body })
  const attendance = { workspace, integration: 'attendance' } as const
  const set = (settings: object) => server.admin.integrations.update(attendance, settings)
  const punches = async () => (await server.admin.punches.list({ workspace })).data
  return { ...site, workspace, employee_id, device_id, secret, send, set, punches }
}

const who = { employee_code: 'E-1', external_device_id: 'DOOR-1', direction: 'in' } as const

onEveryStore('a punch whose time has another name', (start) => {
  test('is refused by webhook and REST with a sentence that names both', async () => {
    const { send, server, workspace, token, punches } = await startDoor(start)
    const body = { ...who, punched_at: '2026-11-09T08:00:00+00:00' }
    const webhook = await send(body)
    expect([webhook.status, webhook.body.errors]).toEqual([
      422,
      {
        timestamp: [
          'The timestamp field is missing, but punched_at reads as a time. Send it as timestamp, or map timestamp to it.',
        ],
      },
    ])
    const path = `/api/v1/workspaces/${workspace}/hrms/attendance/punch`
    const rest = await call(server, { method: 'POST', path, token, body })
    expect([rest.status, rest.body.errors]).toEqual([
      422,
      {
        timestamp: [
          'The timestamp field is missing, but punched_at reads as a time. Send it as timestamp, with a UTC offset.',
        ],
      },
    ])
    const nested = await call(server, {
      method: 'POST',
      path,
      token,
      body: { ...who, timestamp: null, log: { time: '08:00' } },
    })
    expect([nested.status, nested.body.message]).toEqual([422, expect.stringContaining('log.time')])
    expect(await punches()).toEqual([])
    const both = await call(server, {
      method: 'POST',
      path,
      token,
      body: { ...body, timestamp: '2026-11-20T08:00:00Z' },
    })
    expect([both.status, both.body.check_in_at]).toEqual([200, '2026-11-20T08:00:00.000000Z'])
  })

  test('is recorded at its time once a mapping reads it, also by a replay', async () => {
    const { send, set, server, workspace, punches, secret, clock } = await startDoor(start)
    const device = { 'x-device-secret': secret }
    await send({ badge: '1001', punched_at: '2026-11-09T08:00:00+00:00' }, device)
    await set({ mapping: { fields: { attendance_uid: 'badge', timestamp: 'punched_at' } } })
    const [refused] = (await server.admin.inboundDeliveries.list({ workspace })).data
    clock.advance(60_000_000)
    const ref = { workspace, id: refused?.id ?? 0 }
    expect((await server.admin.attendance.explain({ workspace }, { delivery_id: ref.id })).data).toMatchObject([
      { outcome: 'recorded', punch: { timestamp: '2026-11-09T08:00:00+00:00' } },
    ])
    expect(await server.admin.inboundDeliveries.replay(ref)).toMatchObject({ summary: 'check_in' })
    expect(await punches()).toMatchObject([{ at: '2026-11-09T08:00:00.000000Z' }])
  })

  test('replays with the time of its arrival if it has none', async () => {
    const { send, set, server, workspace, punches, clock } = await startDoor(start)
    await send({ badge: '1001', external_device_id: 'DOOR-1' })
    await set({ mapping: { fields: { attendance_uid: 'badge' } } })
    const [refused] = (await server.admin.inboundDeliveries.list({ workspace })).data
    clock.advance(3_600_000_000)
    await server.admin.inboundDeliveries.replay({ workspace, id: refused?.id ?? 0 })
    expect(await punches()).toMatchObject([{ at: refused?.received_at, received_at: refused?.received_at }])
  })

  test('is refused if the mapped timestamp finds nothing, and a documented timestamp still counts', async () => {
    const { send, set } = await startDoor(start)
    await set({ mapping: { fields: { timestamp: 'log.at' } } })
    const { status, body } = await send({ ...who, log: {} })
    expect([status, body.message]).toEqual([422, 'The timestamp field is mapped to log.at, which finds no time here.'])
    expect((await send({ ...who, timestamp: '2026-11-20T08:00:00Z' })).status).toBe(200)
  })

  test('is refused as an entry of a list, because the other entries would be lost', async () => {
    const { send, set } = await startDoor(start)
    const entry = (checktime: string) => ({ workno: '1001', checktime })
    await set({ mapping: { fields: { attendance_uid: 'list[0].workno', timestamp: 'list[0].checktime' } } })
    const list = [entry('2026-11-20T08:00:00Z'), entry('2026-11-20T09:00:00Z')]
    const two = await send({ list, external_device_id: 'DOOR-1' })
    expect([two.status, two.body.message]).toEqual([
      422,
      'This body has 2 punches. Send each of them in a separate request.',
    ])
    expect((await send({ list: list.slice(1), external_device_id: 'DOOR-1' })).status).toBe(200)
  })
})

onEveryStore('a device without UTC offsets', (start) => {
  const local = { ...who, timestamp: '2026-11-15 08:00:00' }

  test('is refused until it has a time zone and a format, and then only the webhook reads its times', async () => {
    const { send, set, server, workspace, token, device_id, punches } = await startDoor(start)
    const refused = await send(local)
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'The timestamp field must have a UTC offset, e.g. 2026-11-20T09:00:00+01:00. If the device cannot send one, set the time_zone and the timestamp_format of the device or of the attendance integration.',
    ])
    expect((await send({ ...local, timestamp: '2026-11-15 08:00:00+00:00' })).body.message).toBe(
      'The timestamp field must be in ISO 8601 format, e.g. 2026-11-20T09:00:00+01:00.',
    )
    expect((await send({ ...local, timestamp: '2026-11-15T24:00:00Z' })).body.message).toBe(
      'The timestamp field must have a date, a time, and a UTC offset that exist.',
    )
    await set({ time_zone: 'asia/calcutta' })
    expect((await send(local)).status).toBe(422)
    expect(await set({ timestamp_format: 'iso_local' })).toMatchObject({ time_zone: 'Asia/Kolkata' })
    expect((await send(local)).body.check_in_at).toBe('2026-11-15T02:30:00.000000Z')
    const path = `/api/v1/workspaces/${workspace}/hrms/attendance/punch`
    expect((await call(server, { method: 'POST', path, token, body: local })).status).toBe(422)
    const own = { time_zone: 'Europe/Berlin', timestamp_format: 'dmy' } as const
    expect(await server.admin.devices.update({ workspace, id: device_id }, own)).toMatchObject(own)
    expect((await send({ ...local, timestamp: '16/11/2026 08:00', direction: 'out' })).body.check_out_at).toBe(
      '2026-11-16T07:00:00.000000Z',
    )
    const wrong = await send(local)
    expect([wrong.status, wrong.body.message]).toEqual([
      422,
      'The timestamp field must be in the format dmy, e.g. 20/11/2026 09:00:00, or an ISO 8601 date-time with a UTC offset.',
    ])
    await server.admin.devices.update({ workspace, id: device_id }, { timestamp_format: 'epoch_seconds' })
    expect((await send({ ...who, timestamp: 1_795_165_200 })).body.check_in_at).toBe('2026-11-20T09:00:00.000000Z')
    expect((await punches()).map(({ offset_minutes }) => offset_minutes)).toEqual([60, 60, 330])
  })

  test('gets a note where a local time occurs twice or not at all', async () => {
    const { send, set, punches } = await startDoor(start)
    await set({ time_zone: 'Europe/Berlin', timestamp_format: 'iso_local' })
    await send({ ...local, timestamp: '2026-10-25 02:30:00' })
    expect(await punches()).toMatchObject([
      {
        at: '2026-10-25T00:30:00.000000Z',
        note: '02:30 occurred twice in Europe/Berlin on 2026-10-25. The first one was taken.',
      },
    ])
  })

  test('that is not registered yet has its punch kept, and a replay reads it with the settings of the device', async () => {
    const { send, server, workspace, punches } = await startDoor(start)
    const unknown = await send({ ...local, external_device_id: 'DOOR-9' })
    expect([unknown.status, unknown.body.reason]).toEqual([422, 'device_not_found'])
    expect(Object.keys(unknown.body.registered_devices[0]).sort()).toEqual([
      'device_name',
      'external_device_id',
      'id',
      'source_type',
    ])
    const clock = { time_zone: 'Europe/Berlin', timestamp_format: 'iso_local' } as const
    const device = { source_type: 'zkteco', device_name: 'Gate', external_device_id: 'DOOR-9', ...clock }
    await server.admin.devices.create({ workspace }, device)
    const [waiting] = (await server.admin.attendance.unmatched({ workspace })).data
    await server.admin.attendance.replay({ workspace, id: waiting?.id ?? 0 })
    expect(await punches()).toMatchObject([{ at: '2026-11-15T07:00:00.000000Z', via: 'replay' }])
  })

  test('may be named by a textual device_id', async () => {
    const { send, device_id } = await startDoor(start)
    const { external_device_id: _, ...body } = who
    expect((await send({ ...body, device_id: 'DOOR-1' })).body.device_id).toBe(device_id)
    expect((await send({ ...body, device_id: 'DOOR-9' })).body.reason).toBe('device_not_found')
  })

  test('has settings that only attendance accepts', async () => {
    const { server, workspace, set } = await startDoor(start)
    for (const integration of ['errors', 'github'] as const)
      await expect(
        server.admin.integrations.update({ workspace, integration }, { timestamp_format: 'dmy' }),
      ).rejects.toMatchObject({
        errors: { timestamp_format: ['The timestamp_format field is for attendance only.'] },
      })
    await expect(set({ time_zone: 'Berlin' })).rejects.toMatchObject({ code: 'validation' })
    expect(await set({ time_zone: null, timestamp_format: null })).toMatchObject({ time_zone: null })
  })
})

onEveryStore('a kept punch of a terminal', (start) => {
  test('has the PIN that names the employee, so that it can be replayed, and no secret', async () => {
    const { server, workspace, secret, send, set, punches, employee_id } = await startDoor(start)
    const body = { log: { PIN: '1001', CardNumber: 77, Time: '2026-11-20 09:00:00' }, password: '4711' }
    expect((await send(body, { 'x-device-secret': secret })).status).toBe(422)
    const [delivery] = (await server.admin.inboundDeliveries.list({ workspace })).data
    const ref = { workspace, id: delivery?.id ?? 0 }
    const kept = JSON.parse((await server.admin.inboundDeliveries.get(ref)).body ?? '')
    expect(kept).toEqual({ ...body, password: '[masked]' })
    await set({ time_zone: 'Asia/Kolkata', timestamp_format: 'iso_local' })
    await set({ mapping: { fields: { attendance_uid: 'log.PIN', timestamp: 'log.Time', direction: "'in'" } } })
    expect(await server.admin.inboundDeliveries.replay(ref)).toMatchObject({ summary: 'check_in' })
    expect(await punches()).toMatchObject([{ employee_id, at: '2026-11-20T03:30:00.000000Z' }])
  })
})
