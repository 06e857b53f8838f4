import { describe, expect, it } from 'vitest'
import { findOtherTimes } from './other-time.ts'

const now = Date.UTC(2026, 10, 20, 18) * 1000
const pathOf = (body: unknown) => findOtherTimes(body, now)[0]?.path

describe('a time under another name', () => {
  it.each([
    ['punched_at', '2026-11-09T08:00:00+00:00'],
    ['time', '2026-11-09T08:00:00Z'],
    ['punch_time', '2026-11-09 08:00:00'],
    ['date', '2026-11-09'],
    ['time', '08:00'],
    ['datetime', '09/11/2026 08:00'],
    ['recordTime', '9.11.2026, 8:00'],
    ['checktime', '11/9/2026 8:00 AM'],
    ['LogTime', '20261109080000'],
    ['EventTime', '20261109T080000Z'],
    ['ts', 1_794_211_200],
    ['time', '1794211200'],
    ['at', 1_794_211_200_000],
    ['clock_in', '08:00:00'],
    ['occurred', 'Mon, 09 Nov 2026 08:00:00 GMT'],
    ['when', 'November 9, 2026 8:00 AM'],
    ['Timestamp', '2026-11-09T08:00:00Z'],
    ['punchDate', '/Date(1794211200000)/'],
    ['localDateTime', [2026, 11, 9, 8, 0]],
    ['entrada', 1_794_211_200],
    ['x', '2026-11-09T08:00:00Z'],
    ['time', '20261109 0800'],
    ['time', '080000'],
    ['time', '0800'],
    ['dt', '09-Nov-26 08:00'],
    ['date', '09/11/26'],
    ['time', '2026年11月9日 08:00'],
    ['data', '1007\t2026-11-09 08:00:00\t0\t1'],
    ['punched_at', '08h00 09.11.2026'],
    ['punch_time', 'this morning'],
  ])('is found: %s %j', (name, value) => {
    expect(pathOf({ employee_code: 'E-1', [name]: value })).toBe(name)
  })

  it.each([
    ['birth_date', '1990-05-01'],
    ['birthDate', '1990-05-01T00:00:00Z'],
    ['card_expires_at', '2030-01-01T00:00:00Z'],
    ['card_no', 1_794_211_200],
    ['cardNumber', '1794211200'],
    ['phone', '1794211200'],
    ['serialNo', 1_794_211_200],
    ['time_zone', 'Europe/Berlin'],
    ['timezone', '+05:30'],
    ['firmware_date', '2024-01-01'],
    ['temperature', 36.5],
    ['timeout', 30],
    ['verify', 1],
    ['name', 'May Smith'],
    ['address', '12.3.4.5'],
    ['note', 'A text of 2026'],
    ['amount', 4_794_211_200],
    ['update', true],
    ['time', null],
    ['time', ''],
  ])('is not found: %s %j', (name, value) => {
    expect(pathOf({ employee_code: 'E-1', [name]: value })).toBeUndefined()
  })

  it('is found in nested objects and lists, the outermost first', () => {
    expect(pathOf({ data: { punched_at: '2026-11-09T08:00:00Z' } })).toBe('data.punched_at')
    expect(pathOf({ time: { $date: '2026-11-09T08:00:00Z' } })).toBe('time.$date')
    expect(pathOf({ payload: { list: [{ checktime: '2026-11-09T08:00:00Z' }] } })).toBe('payload.list[0].checktime')
    expect(pathOf({ a: { time: '08:00' }, time: '09:00' })).toBe('time')
  })

  it('is not a documented field of a punch', () => {
    expect(
      pathOf({ employee_code: '2026-11-09T08:00:00Z', attendance_uid: '1794211200', user_id: 1_794_211_200 }),
    ).toBe(undefined)
  })

  it('knows how many entries a list has', () => {
    const entry = { checktime: '2026-11-09T08:00:00Z' }
    expect(findOtherTimes({ list: [entry, entry] }, now)[0]).toMatchObject({ entries: 2 })
    expect(findOtherTimes({ list: [entry] }, now)[0]).toMatchObject({ entries: 1 })
  })

  it('is looked for in a bounded part of the body', () => {
    const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, { a: { b: { c: 1 } } }]))
    expect(findOtherTimes(wide, now)).toEqual([])
    let deep: object = { time: '2026-11-09T08:00:00Z' }
    for (let depth = 0; depth < 5000; depth += 1) deep = { deep }
    expect(findOtherTimes(deep, now)).toEqual([])
  })
})
