import { expect, test } from 'vitest'
import { punch, seedSite, sessionsOf, utc } from './attendance-site.ts'
import { onEveryStore, type Start } from './on-every-store.ts'
import { call } from './workspace.ts'

async function startShift(start: Start) {
  const adminToken = 'service_admin_0123456789'
  const server = await start({ adminToken })
  const site = await seedSite(server)
  const ref = { workspace: site.workspace.id }
  const send = async (direction: string, timestamp: string) =>
    (await punch(server, site, { direction, timestamp })).body
  const ids = async () => (await server.admin.punches.list(ref)).data.map(({ id }) => id)
  const week = async () => {
    const { data } = await server.admin.attendance.hours(ref, { from: '2026-11-16', to: '2026-11-20' })
    return data.flatMap(({ days }) =>
      days.map(({ day, worked_seconds, corrected }) => [day, worked_seconds / 3600, corrected]),
    )
  }
  return { server, site, ref, adminToken, send, ids, week, sessions: () => sessionsOf(server, site) }
}

onEveryStore('a correction of a punch', (start) => {
  test('adds a missing punch with its reason and pairs the sessions again', async () => {
    const { server, site, ref, send, week, sessions } = await startShift(start)
    await send('in', '2026-11-18T08:00:00Z')
    await send('in', '2026-11-19T08:00:00Z')
    await send('out', '2026-11-19T16:00:00Z')
    const missing = { employee_id: site.employee.id, direction: 'out', at: '2026-11-18T17:00:00+01:00' } as const
    await expect(server.admin.punches.create(ref, { ...missing, reason: ' ' })).rejects.toMatchObject({
      errors: { reason: ['The reason field is required.'] },
    })
    const added = await server.admin.punches.create(ref, { ...missing, reason: 'Forgot to clock out' })
    expect(added).toMatchObject({
      action: 'check_out',
      at: utc('2026-11-18 16:00'),
      corrected: true,
      reason: 'Forgot to clock out',
      via: 'admin',
      device_id: site.front.id,
      voided_at: null,
    })
    expect(await sessions()).toEqual([
      { in: utc('2026-11-18 08:00'), out: utc('2026-11-18 16:00'), day: '2026-11-18' },
      { in: utc('2026-11-19 08:00'), out: utc('2026-11-19 16:00'), day: '2026-11-19' },
    ])
    expect(await week()).toEqual([
      ['2026-11-18', 8, true],
      ['2026-11-19', 8, false],
    ])
    await expect(server.admin.punches.create(ref, { ...missing, reason: 'Again' })).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  test('changes the time, keeps the original, and records both in the audit log', async () => {
    const { server, ref, send, ids, week, sessions } = await startShift(start)
    const { punch_id: id } = await send('in', '2026-11-18T11:00:00Z')
    await send('out', '2026-11-18T16:00:00Z')
    const wrong = { at: '2026-11-18T08:00:00Z', reason: 'The clock was wrong' }
    expect(await server.admin.punches.update({ ...ref, id }, wrong)).toMatchObject({
      id,
      at: utc('2026-11-18 08:00'),
      corrected: true,
      session_id: id,
    })
    expect(await sessions()).toEqual([{ in: utc('2026-11-18 08:00'), out: utc('2026-11-18 16:00'), day: '2026-11-18' }])
    const [original = 0] = await ids()
    expect(await server.admin.punches.get({ ...ref, id: original })).toMatchObject({
      at: utc('2026-11-18 11:00'),
      voided_at: expect.any(String),
      replaced_by: id,
      session_id: null,
    })
    expect(await week()).toEqual([['2026-11-18', 8, true]])
    expect((await server.admin.attendance.sessions(ref)).data).toMatchObject([{ corrected: true }])
    expect((await server.admin.auditLog.list(ref, { operation: 'punches.update' })).data).toMatchObject([
      { resource: String(id), before: { at: utc('2026-11-18 11:00') }, after: { at: utc('2026-11-18 08:00') } },
    ])
    await expect(server.admin.punches.update({ ...ref, id: original }, wrong)).rejects.toMatchObject({
      message: expect.stringContaining(
        `Punch ${original} is the original of a correction. Correct punch ${id} instead.`,
      ),
    })
    expect(await server.admin.punches.update({ ...ref, id }, { direction: 'out' })).toMatchObject({
      action: 'check_out',
      reason: 'The clock was wrong',
    })
    expect(await sessions()).toEqual([])
    await server.admin.punches.update({ ...ref, id }, { reason: 'Left early' })
    const versions = (await server.admin.punches.list(ref)).data.filter(({ replaced_by }) => replaced_by === id)
    expect(versions.map(({ reason }) => reason)).toEqual(['The clock was wrong', null])
    expect(await server.admin.punches.get({ ...ref, id })).toMatchObject({ reason: 'Left early' })
  })

  test('deletes a punch, which stays visible and does not return with a device that sends it again', async () => {
    const { server, ref, send, ids, week, sessions } = await startShift(start)
    await send('in', '2026-11-18T08:00:00Z')
    const { punch_id: id } = await send('out', '2026-11-18T09:00:00Z')
    await send('out', '2026-11-18T16:00:00Z')
    expect(await server.admin.punches.delete({ ...ref, id })).toEqual({ id })
    const whole = [{ in: utc('2026-11-18 08:00'), out: utc('2026-11-18 16:00'), day: '2026-11-18' }]
    expect(await sessions()).toEqual(whole)
    expect(await week()).toEqual([['2026-11-18', 8, true]])
    expect(await send('out', '2026-11-18T09:00:00Z')).toMatchObject({ recorded: true, duplicate: true, punch_id: id })
    expect(await sessions()).toEqual(whole)
    expect(await ids()).toHaveLength(3)
    expect((await server.admin.auditLog.list(ref, { operation: 'punches.delete' })).data).toMatchObject([
      { resource: String(id), before: { at: utc('2026-11-18 09:00'), voided_at: null } },
    ])
    await expect(server.admin.punches.delete({ ...ref, id })).rejects.toMatchObject({
      message: expect.stringContaining(`Punch ${id} was deleted. Add a punch instead.`),
    })
  })

  test('keeps a day visible whose punches were all deleted or moved, and the reason', async () => {
    const { server, ref, send, week } = await startShift(start)
    const { punch_id: id } = await send('in', '2026-11-18T08:00:00Z')
    const { punch_id: out } = await send('out', '2026-11-18T16:00:00Z')
    await server.admin.punches.delete({ ...ref, id }, { reason: 'Somebody else’s card' })
    await server.admin.punches.delete({ ...ref, id: out })
    expect(await week()).toEqual([['2026-11-18', 0, true]])
    expect(await server.admin.punches.get({ ...ref, id })).toMatchObject({ reason: 'Somebody else’s card' })
    const { punch_id: moved } = await send('in', '2026-11-17T08:00:00Z')
    await server.admin.punches.update({ ...ref, id: moved }, { at: '2026-11-19T08:00:00Z' })
    await send('out', '2026-11-19T09:00:00Z')
    expect(await week()).toEqual([
      ['2026-11-17', 0, true],
      ['2026-11-18', 0, true],
      ['2026-11-19', 1, true],
    ])
    await expect(server.admin.punches.delete({ ...ref, id: moved }, { reason: ' ' })).rejects.toMatchObject({
      errors: { reason: ['The reason field is required.'] },
    })
  })

  test('after a device sends the original again answers with the corrected punch', async () => {
    const { server, ref, send, ids } = await startShift(start)
    const { punch_id: id } = await send('in', '2026-11-18T11:00:00Z')
    await server.admin.punches.update({ ...ref, id }, { at: '2026-11-18T08:00:00Z' })
    expect(await send('in', '2026-11-18T11:00:00Z')).toMatchObject({
      duplicate: true,
      punch_id: id,
      check_in_at: utc('2026-11-18 08:00'),
    })
    expect(await ids()).toHaveLength(2)
  })

  test('is for administrators of the workspace, within 366 days', async () => {
    const { server, site, ref, adminToken, send } = await startShift(start)
    const { punch_id: id } = await send('in', '2026-11-18T11:00:00Z')
    const path = `/admin/v1/workspaces/${ref.workspace}/punches/${id}`
    const patch = { method: 'PATCH', path, body: { at: '2026-11-18T08:00:00Z' } }
    expect((await call(server, patch)).status).toBe(401)
    expect((await call(server, { ...patch, token: adminToken })).status).toBe(200)
    const refused = [
      ['2025-11-01T08:00:00Z', 'The at field must not be older than 366 days.'],
      ['2026-12-01T08:00:00Z', 'The at field must not be more than 5 minutes in the future.'],
      ['2026-11-18 08:00', 'The at field must be a valid ISO 8601 date-time with a UTC offset.'],
    ] as const
    for (const [at, sentence] of refused)
      await expect(server.admin.punches.update({ ...ref, id }, { at })).rejects.toMatchObject({
        errors: { at: [sentence] },
      })
    const other = { employee_id: 999, direction: 'in', at: '2026-11-18T08:00:00Z', reason: 'x' } as const
    await expect(server.admin.punches.create(ref, other)).rejects.toMatchObject({ code: 'validation' })
    const device = { ...other, employee_id: site.employee.id, device_id: 999 }
    await expect(server.admin.punches.create(ref, device)).rejects.toMatchObject({ code: 'validation' })
    const elsewhere = await server.admin.workspaces.create({ name: 'Elsewhere' })
    await expect(server.admin.punches.get({ workspace: elsewhere.id, id })).rejects.toMatchObject({ code: 'not_found' })
  })
})
