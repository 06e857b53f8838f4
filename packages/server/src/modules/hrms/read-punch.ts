import { NewPunch } from '@service/contract'
import type { MappedField, Mapping } from '@service/intake/evaluate-mapping'
import { checkInput, parseJsonBody } from '../../core/check-input.ts'
import type { Micros } from '../../core/clock.ts'
import { validation } from '../../core/errors.ts'
import { isJsonObject } from '../../core/json.ts'
import { findOtherTimes } from './attendance/other-time.ts'

/** A punch after applying the field mapping. */
export interface ReadPunch {
  readonly punch: unknown
  readonly mapped: readonly MappedField[]
  /** The body as it was sent. */
  readonly sent: unknown
  /** The expression of the timestamp, if the mapping has one. */
  readonly timestampExpression: string | undefined
}

const idFields = new Set(['user_id', 'device_id'])

/** Reads the body of an attendance webhook. The parser of expressions is loaded with the first mapping. */
export async function readPunch(body: Uint8Array, mapping: Mapping | null): Promise<ReadPunch | 'ignored'> {
  const sent = parseJsonBody(body)
  if (mapping === null) return { sent, mapped: [], timestampExpression: undefined, punch: fromDevice(sent) }
  const { startMapping } = await import('@service/intake/evaluate-mapping')
  const mapper = startMapping(mapping)
  if (mapper.ignores(sent)) return 'ignored'
  const mapped = Object.entries(mapper.fieldsOf(sent)).map(([field, to]) => ({
    field,
    from: toShown(Object(sent)[field]),
    to: toFieldType(field, to),
    expression: mapper.expressionOf(field),
  }))
  const read = { sent, mapped, timestampExpression: mapping.fields?.['timestamp'] }
  if (mapped.length === 0) return { ...read, punch: fromDevice(sent) }
  const corrected = Object.fromEntries(mapped.map(({ field, to }) => [field, to]))
  return { ...read, punch: fromDevice({ ...Object(sent), ...corrected }) }
}

/** The schema takes ids as numbers and all other values as strings. Devices write directions in any case. */
function toFieldType(field: string, value: string | number): string | number {
  if (field === 'direction') return String(value).toLowerCase()
  if (!idFields.has(field)) return String(value)
  return Number.isInteger(Number(value)) ? Number(value) : value
}

/** Agents send their own names of the device and the person as `device_id` and `user_id`, and times as numbers. */
function fromDevice(punch: unknown): unknown {
  if (!isJsonObject(punch)) return punch
  const fields: Record<string, unknown> = { ...punch }
  if (typeof fields['timestamp'] === 'number') fields['timestamp'] = String(fields['timestamp'])
  for (const [id, name] of [
    ['device_id', 'external_device_id'],
    ['user_id', 'attendance_uid'],
  ] as const) {
    const text = fields[id]
    if (typeof text !== 'string' || text === '' || (fields[name] ?? text) !== text) continue
    fields[name] = text
    delete fields[id]
  }
  return fields
}

const toShown = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : null)

/** Rejects an invalid punch with a message per field. */
export function checkPunch({ punch, sent, mapped, timestampExpression }: ReadPunch, now: Micros): NewPunch {
  const checked = checkInput(NewPunch, punch)
  const time = mapped.find(({ field }) => field === 'timestamp')?.to
  if (time !== undefined) requireOneEntry(sent, { time, now })
  if (checked.timestamp == null && timestampExpression !== undefined)
    throw validation({
      timestamp: [`The timestamp field is mapped to ${timestampExpression}, which finds no time here.`],
    })
  if (checked.timestamp == null) refuseOtherTime(sent, { now, remedy: 'Send it as timestamp, or map timestamp to it.' })
  return checked
}

interface OtherTimeRule {
  readonly now: Micros
  readonly remedy: string
}

/** Refuses a body whose time has another name, because it would be recorded with the time of its arrival. */
export function refuseOtherTime(body: unknown, { now, remedy }: OtherTimeRule): void {
  if (Object(body).timestamp != null) return
  const path = findOtherTimes(body, now)[0]?.path
  if (path === undefined) return
  const name = /^[\w.[\]$@-]{1,100}$/.test(path) ? path : 'another field'
  throw validation({ timestamp: [`The timestamp field is missing, but ${name} reads as a time. ${remedy}`] })
}

/** A mapping reads one punch, so from a list with several it would lose the others. */
function requireOneEntry(body: unknown, { time, now }: { readonly time: string | number; readonly now: Micros }): void {
  const { entries = 1 } = findOtherTimes(body, now).find(({ value }) => String(value) === time) ?? {}
  if (entries > 1)
    throw validation({ body: [`This body has ${entries} punches. Send each of them in a separate request.`] })
}
