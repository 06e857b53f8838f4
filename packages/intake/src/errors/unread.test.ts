import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'
import { readErrorReports } from './read-error-reports.ts'
import { titleOf } from './ticket-text.ts'

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })
const keyOf = (body: unknown) => read(body).map(fingerprint).join()
const titles = (body: unknown) => read(body).map(titleOf)

// Bodies of unknown senders, in which no reader finds a message or a class.
const backup = { job: { id: 'b-1', outcome: 'Backup of disk 3 did not finish' }, host: 'nas' }
const door = { sensor: { label: 'Door of the cellar left open' }, at: '2026-11-20T10:00:00Z' }

describe('a body without any known field', () => {
  it('is keyed by its shape and text', () => {
    const bodies = [backup, door, { ...backup, job: { id: 'b-1', outcome: 'Disk is full' } }, { a: 1 }, { b: 1 }, {}]
    expect(new Set(bodies.map(keyOf)).size).toBe(bodies.length)
  })

  it('has the same key as one that differs only in ids and numbers', () => {
    expect(keyOf({ host: 'nas', job: { outcome: 'Backup of disk 12 did not finish', id: 'b-77' } })).toBe(keyOf(backup))
  })

  it('is titled by its first meaningful line', () => {
    expect([backup, door, { x: { y: ['\n\nPaper jam in tray two\nCall support'] } }].flatMap(titles)).toEqual([
      'Backup of disk 3 did not finish',
      'Door of the cellar left open',
      'Paper jam in tray two',
    ])
  })

  it('is titled by its location if it has no text', () => {
    expect(titles({ status_code: 502, method: 'GET', url: '/pay' })).toEqual(['502 GET /pay'])
    expect(titles({})).toEqual(['Error report'])
  })

  it('is titled by its event type if that names a failure', () => {
    expect(titles({ id: 'evt_1', event_type: 'payment_failed', address: { line1: 'PO Box 9999' } })).toEqual([
      'payment_failed',
    ])
  })

  it('has no secret in its title', () => {
    expect(titles({ note: { remark: 'refused with password=hunter2 today' } }).join()).not.toContain('hunter2')
  })
})
