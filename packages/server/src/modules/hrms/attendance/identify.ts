import type { NewPunch } from '@service/contract'
import type { AdminDevice } from '@service/contract/admin/hrms'
import type { App } from '../../../context.ts'
import { validation } from '../../../core/errors.ts'
import * as hrms from '../queries.ts'

/** The employee and device of a punch, or why they were not found. */
export type Identified =
  | { readonly found: true; readonly employee: hrms.EmployeeRow; readonly device: AdminDevice }
  | {
      readonly found: false
      /** The device, if only the employee is unknown. */
      readonly device: AdminDevice | undefined
      readonly reason: 'device_not_found' | 'employee_not_found'
      readonly devices: readonly AdminDevice[]
    }

const employeeKeys = ['employee_code', 'attendance_uid', 'user_id', 'email'] as const
const deviceKeys = ['device_id', 'external_device_id', 'source_type'] as const

/** Rejects a punch without an employee or device field (422). Unknown values are not rejected here. */
export function requireIdentifiers(punch: NewPunch, fixedDeviceId: number | undefined): void {
  const missing: Record<string, string[]> = {}
  if (!employeeKeys.some((key) => isGiven(punch[key]))) {
    missing['employee_code'] = [`The employee is missing: send one of ${employeeKeys.join(', ')}.`]
  }
  if (fixedDeviceId === undefined && !deviceKeys.some((key) => isGiven(punch[key]))) {
    missing['device_id'] = [`The device is missing: send one of ${deviceKeys.join(', ')}.`]
  }
  if (Object.keys(missing).length > 0) throw validation(missing)
}

/** `fixedDeviceId` is the device whose secret authenticated the request. */
export async function identify(
  app: App,
  workspaceId: number,
  { punch, fixedDeviceId }: { punch: NewPunch; fixedDeviceId: number | undefined },
): Promise<Identified> {
  const devices = await hrms.listDevices(app.db, workspaceId)
  const device = findDevice(
    devices,
    fixedDeviceId === undefined ? punch : { ...punch, device_id: punch.device_id ?? fixedDeviceId },
  )
  if (fixedDeviceId !== undefined && device?.id !== fixedDeviceId) throw disagreement('device_id')
  const employee = await findEmployee(app, workspaceId, punch)
  if (device === undefined) return { found: false, reason: 'device_not_found', device, devices }
  if (employee === undefined) return { found: false, reason: 'employee_not_found', device, devices }
  return { found: true, employee, device }
}

async function findEmployee(app: App, workspaceId: number, punch: NewPunch): Promise<hrms.EmployeeRow | undefined> {
  const matches: { key: hrms.EmployeeKey; employee: hrms.EmployeeRow | undefined }[] = []
  for (const key of employeeKeys) {
    const value = punch[key]
    if (value === null || value === undefined || value === '') continue
    const stored = key === 'email' ? String(value).trim().toLowerCase() : value
    matches.push({ key, employee: await hrms.findEmployeeBy(app.db, workspaceId, { key, value: stored }) })
  }
  const first = matches.find(({ employee }) => employee !== undefined)?.employee
  const other = matches.find(({ employee }) => employee?.id !== first?.id)
  if (other !== undefined) throw disagreement(other.key)
  return first
}

function findDevice(devices: readonly AdminDevice[], punch: NewPunch): AdminDevice | undefined {
  const byId = isGiven(punch.device_id) ? devices.filter(({ id }) => id === punch.device_id) : devices
  const byExternalId = narrow(byId, 'external_device_id', punch.external_device_id)
  const matching = narrow(byExternalId, 'source_type', punch.source_type)
  if (matching.length > 1)
    throw validation({
      source_type: ['Several devices match: send device_id, or external_device_id with source_type.'],
    })
  const [device] = matching
  if (device === undefined) requireAgreement(devices, punch)
  return device
}

/** If no device matches all identifiers but one identifier matches alone, the identifiers contradict each other. */
function requireAgreement(devices: readonly AdminDevice[], punch: NewPunch): void {
  const isKnown = isGiven(punch.device_id)
    ? devices.some(({ id }) => id === punch.device_id)
    : isGiven(punch.external_device_id) &&
      devices.some((device) => device.external_device_id === punch.external_device_id)
  const fields = deviceKeys.filter((key) => isGiven(punch[key]))
  const last = fields.at(-1)
  if (isKnown && fields.length > 1 && last !== undefined) throw disagreement(last)
}

function narrow(
  devices: readonly AdminDevice[],
  key: 'external_device_id' | 'source_type',
  value: string | null | undefined,
) {
  return isGiven(value) ? devices.filter((device) => device[key] === value) : devices
}

function disagreement(field: string) {
  return validation({ [field]: [`The ${field} field does not agree with the other identifiers.`] })
}

function isGiven(value: string | number | null | undefined): boolean {
  return value !== null && value !== undefined && value !== ''
}
