import { expect, test } from 'vitest'
import { microsPerDay } from '../src/core/clock.ts'
import { punch, seedSite, sessionsOf, utc } from './attendance-site.ts'
import { manualClock } from './manual-clock.ts'
import { onEveryStore } from './on-every-store.ts'
import { call, clientOf } from './workspace.ts'

const at = { direction: 'in', timestamp: '2026-11-19T09:00:00Z' }

onEveryStore('a punch', (start) => {
  test('finds its employee by code, attendance uid, user id, or e-mail in any case, and by all of them', async () => {
    const server = await start()
    const site = await seedSite(server)
    const all = { attendance_uid: '1001', user_id: site.member.id, email: ' ADA@Acme.Example ' }
    const ways = [{ employee_code: 'E-1' }, ...Object.entries(all).map(([key, value]) => ({ [key]: value })), all]
    for (const way of ways) {
      const { status, body } = await punch(server, site, { employee_code: null, ...way, ...at })
      expect([way, status, body.user_id]).toEqual([way, 200, site.member.id])
    }
  })

  test('finds its device by id, external id, kind, and by all of them', async () => {
    const server = await start()
    const site = await seedSite(server)
    const ways = [
      { device_id: site.phone.id },
      { external_device_id: 'PHONE-1' },
      { source_type: 'mobile' },
      { device_id: site.phone.id, external_device_id: 'PHONE-1', source_type: 'mobile' },
    ]
    for (const way of ways) {
      const { status, body } = await punch(server, site, { external_device_id: null, ...way, ...at })
      expect([way, status, body.device_id]).toEqual([way, 200, site.phone.id])
    }
  })

  test('gets one 422 for a missing employee and a missing device', async () => {
    const server = await start()
    const { workspace, token } = await seedSite(server)
    const path = `/api/v1/workspaces/${workspace.id}/hrms/attendance/punch`
    const employee = 'The employee is missing: send one of employee_code, attendance_uid, user_id, email.'
    const device = 'The device is missing: send one of device_id, external_device_id, source_type.'
    for (const body of [{}, { employee_code: '', external_device_id: '', email: null }, { direction: 'in' }]) {
      const answer = await call(server, { method: 'POST', path, token, body })
      expect([answer.status, answer.body]).toEqual([
        422,
        { message: `${employee} (and 1 more error)`, errors: { employee_code: [employee], device_id: [device] } },
      ])
    }
    const half = await call(server, { method: 'POST', path, token, body: { employee_code: 'E-1' } })
    expect(half.body).toEqual({ message: device, errors: { device_id: [device] } })
    expect((await server.admin.attendance.unmatched({ workspace: workspace.id })).data).toEqual([])
  })

  test('gets 422 and is not stored if its identifiers contradict each other', async () => {
    const server = await start()
    const site = await seedSite(server)
    const workspace_id = site.workspace.id
    const ben = await server.admin.members.create(
      { workspace: workspace_id },
      { name: 'Ben Ito', email: 'ben@acme.example' },
    )
    await server.admin.employees.create({ workspace: workspace_id }, { user_id: ben.id, employee_code: 'E-2' })
    const disagreeing = [
      [{ user_id: ben.id }, 'user_id'],
      [{ email: 'ben@acme.example' }, 'email'],
      [{ attendance_uid: 'unknown' }, 'attendance_uid'],
      [{ device_id: site.back.id }, 'external_device_id'],
      [{ source_type: 'mobile' }, 'source_type'],
    ] as const
    for (const [fields, field] of disagreeing) {
      const { status, body } = await punch(server, site, { ...at, ...fields })
      const sentence = `The ${field} field does not agree with the other identifiers.`
      expect([field, status, body]).toEqual([field, 422, { message: sentence, errors: { [field]: [sentence] } }])
    }
    const vague = await punch(server, site, { ...at, external_device_id: null, source_type: 'zkteco' })
    expect([vague.status, Object.keys(vague.body.errors)]).toEqual([422, ['source_type']])
    expect((await server.admin.attendance.unmatched({ workspace: workspace_id })).data).toEqual([])
    expect(await sessionsOf(server, site)).toEqual([])
  })

  test('of an unknown device or employee gets 422 with the reason, a hint, and the registered devices', async () => {
    const server = await start()
    const site = await seedSite(server)
    const registered_devices = [
      { id: site.front.id, source_type: 'zkteco', device_name: 'Front door', external_device_id: 'DOOR-1' },
      { id: site.back.id, source_type: 'zkteco', device_name: 'Back door', external_device_id: 'DOOR-2' },
      { id: site.phone.id, source_type: 'mobile', device_name: 'Phone', external_device_id: 'PHONE-1' },
    ]
    const unmatched = { recorded: false, hint: expect.stringContaining('can be replayed.'), registered_devices }
    const device = await punch(server, site, { ...at, external_device_id: 'DOOR-9' })
    expect([device.status, device.body]).toEqual([422, { ...unmatched, reason: 'device_not_found' }])
    const employee = await punch(server, site, { ...at, employee_code: 'E-9' })
    expect([employee.status, employee.body]).toEqual([422, { ...unmatched, reason: 'employee_not_found' }])
    const both = await punch(server, site, { ...at, employee_code: 'E-9', external_device_id: 'DOOR-9' })
    expect(both.body.reason).toBe('device_not_found')
    const typed = await clientOf(server, site).hrms.attendance.punch({ employee_code: 'E-9', device_id: site.front.id })
    expect(typed).toEqual({ ...unmatched, reason: 'employee_not_found' })
  })

  test('cannot use a device or an employee of another workspace', async () => {
    const server = await start()
    const site = await seedSite(server, { name: 'Acme' })
    const other = await seedSite(server, { name: 'Umbrella' })
    await server.admin.devices.create(
      { workspace: other.workspace.id },
      { source_type: 'kiosk', device_name: 'Theirs', external_device_id: 'THEIRS' },
    )
    const punches = [
      { device_id: other.front.id, external_device_id: null },
      { external_device_id: 'THEIRS' },
      { user_id: other.member.id, employee_code: null },
      { email: 'ada@umbrella.example', employee_code: null },
    ]
    const reasons: string[] = []
    for (const fields of punches) {
      const { status, body } = await punch(server, site, { ...at, ...fields })
      expect(status).toBe(422)
      expect(JSON.stringify(body.registered_devices)).not.toContain('THEIRS')
      reasons.push(body.reason)
    }
    expect(reasons).toEqual(['device_not_found', 'device_not_found', 'employee_not_found', 'employee_not_found'])
    expect(await sessionsOf(server, other)).toEqual([])
  })
})

onEveryStore('an unmatched punch', (start) => {
  test('is stored once and counts at its own time when it is replayed', async () => {
    const server = await start()
    const site = await seedSite(server)
    const workspace_id = site.workspace.id
    await punch(server, site, { direction: 'out', timestamp: '2026-11-19T17:00:00Z' })
    for (let sent = 0; sent < 3; sent += 1) await punch(server, site, { ...at, external_device_id: 'DOOR-9' })
    const [waiting, ...others] = (await server.admin.attendance.unmatched({ workspace: workspace_id })).data
    expect(others).toEqual([])
    expect(waiting).toMatchObject({ reason: 'device_not_found', via: 'api', punch: { timestamp: at.timestamp } })
    const place = { workspace: workspace_id, id: waiting?.id ?? 0 }
    expect(await server.admin.attendance.replay(place)).toMatchObject({
      recorded: false,
      reason: 'device_not_found',
    })
    await server.admin.devices.create(
      { workspace: workspace_id },
      { source_type: 'zkteco', device_name: 'New door', external_device_id: 'DOOR-9' },
    )
    expect(await server.admin.attendance.replay(place)).toMatchObject({
      recorded: true,
      check_in_at: utc('2026-11-19 09:00'),
      check_out_at: utc('2026-11-19 17:00'),
    })
    expect((await server.admin.attendance.unmatched({ workspace: workspace_id })).data).toEqual([])
    await expect(server.admin.attendance.replay(place)).rejects.toMatchObject({ code: 'not_found' })
    expect((await punch(server, site, { ...at, external_device_id: 'DOOR-9' })).body.duplicate).toBe(true)
  })

  test('without a timestamp counts at its arrival time when it is replayed', async () => {
    const server = await start()
    const site = await seedSite(server)
    const workspace_id = site.workspace.id
    await punch(server, site, { employee_code: 'E-2', direction: 'in' })
    const ben = await server.admin.members.create(
      { workspace: workspace_id },
      { name: 'Ben Ito', email: 'ben@acme.example' },
    )
    await server.admin.employees.create({ workspace: workspace_id }, { user_id: ben.id, employee_code: 'E-2' })
    const [waiting] = (await server.admin.attendance.unmatched({ workspace: workspace_id })).data
    await server.admin.attendance.replay({ workspace: workspace_id, id: waiting?.id ?? 0 })
    const [session] = await sessionsOf(server, site)
    expect(session?.in).toBe(waiting?.punch['timestamp'])
    expect(session?.in).toBe(waiting?.received_at)
  })

  test('can be replayed months later, because its age is measured at arrival', async () => {
    const clock = manualClock()
    const server = await start({ clock })
    const site = await seedSite(server)
    const workspace_id = site.workspace.id
    await punch(server, site, { ...at, external_device_id: 'DOOR-9' })
    clock.advance(60 * microsPerDay)
    await server.admin.devices.create(
      { workspace: workspace_id },
      { source_type: 'zkteco', device_name: 'New door', external_device_id: 'DOOR-9' },
    )
    const [waiting] = (await server.admin.attendance.unmatched({ workspace: workspace_id })).data
    const replayed = await server.admin.attendance.replay({ workspace: workspace_id, id: waiting?.id ?? 0 })
    expect(replayed).toMatchObject({ recorded: true, check_in_at: utc('2026-11-19 09:00') })
  })

  test('cannot be replayed from another workspace', async () => {
    const server = await start()
    const site = await seedSite(server, { name: 'Acme' })
    const other = await seedSite(server, { name: 'Umbrella' })
    await punch(server, site, { ...at, external_device_id: 'DOOR-9' })
    const [waiting] = (await server.admin.attendance.unmatched({ workspace: site.workspace.id })).data
    const place = { workspace: other.workspace.id, id: waiting?.id ?? 0 }
    await expect(server.admin.attendance.replay(place)).rejects.toMatchObject({ code: 'not_found' })
    expect((await server.admin.attendance.unmatched({ workspace: site.workspace.id })).data).toHaveLength(1)
  })
})

onEveryStore('an employee', (start) => {
  test('is not created or changed with the code or badge of another one', async () => {
    const server = await start()
    const { workspace, member } = await seedSite(server)
    const at = { workspace: workspace.id }
    const { members, employees } = server.admin
    const ben = await members.create(at, { name: 'Ben', email: 'ben@acme.example' })
    for (const taken of [{ employee_code: 'E-1' }, { attendance_uid: '1001' }, { user_id: member.id }])
      await expect(employees.create(at, { user_id: ben.id, ...taken })).rejects.toMatchObject({
        message: expect.stringContaining('An employee with this user, code, or attendance uid already exists.'),
        code: 'conflict',
      })
    await expect(employees.create(at, { user_id: ben.id, name: 'Bo', email: 'bo@acme.example' })).rejects.toMatchObject(
      {
        errors: {
          name: ['The name field is only for a new person: a member already has one.'],
          email: ['The email field is only for a new person: a member already has one.'],
        },
      },
    )
    const { id } = await employees.create(at, { user_id: ben.id, employee_code: 'E-2' })
    for (const taken of [{ employee_code: 'E-1' }, { attendance_uid: '1001' }])
      await expect(employees.update({ ...at, id }, { department: 'Research', ...taken })).rejects.toMatchObject({
        message: expect.stringContaining('An employee with this code or attendance uid already exists.'),
        code: 'conflict',
      })
    expect(await employees.get({ ...at, id })).toMatchObject({ employee_code: 'E-2', department: null })
  })
})
