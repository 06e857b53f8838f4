import type { MemberRole } from '@service/contract/admin/people-input'
import type { TxApp } from '../../../context.ts'
import { createDevice, createEmployee, registerDevice } from '../../../modules/hrms/service.ts'
import { addMember } from '../../../modules/members/service.ts'

/** When somebody works: the weekdays on which a shift begins, and the hours from which to which it lasts. */
interface Shift {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[]
  readonly from: number
  /** Beyond 24 for a shift that ends on the next day. */
  readonly to: number
  /** In an office people come about the hour; whoever takes over a shift is there when it begins. */
  readonly isOffice: boolean
}

const weekdays = [1, 2, 3, 4, 5]
const office: Shift = { weekdays, from: 9, to: 17.5, isOffice: true }
const early: Shift = { weekdays, from: 6, to: 14, isOffice: false }
const late: Shift = { weekdays, from: 14, to: 22, isOffice: false }
const night: Shift = { weekdays: [0, 1, 2, 3, 4], from: 22, to: 30, isOffice: false }

type Place = 'office' | 'gate' | 'night'

interface Profile {
  readonly name: string
  readonly role: MemberRole
  readonly department: string
  readonly job_title: string
  readonly employment_type: string
  readonly shift: Shift
  readonly place: Place
}

// Early, late and night shifts are taken on every day of the week, so that at any hour somebody is in.
const profiles: readonly Profile[] = [
  profile('Amara Okafor', 'owner', { shift: office, department: 'Operations', job_title: 'Head of operations' }),
  profile('Bruno Silva', 'admin', { shift: office, department: 'Engineering', job_title: 'Lead engineer' }),
  profile('Chen Wei', 'member', { shift: office, department: 'Engineering', job_title: 'Engineer' }),
  {
    ...profile('Dana Kim', 'member', {
      shift: { ...office, weekdays: [1, 2, 3, 4] },
      department: 'Sales',
      job_title: 'Account manager',
    }),
    employment_type: 'part_time',
  },
  profile('Elif Demir', 'member', { shift: office, department: 'Support', job_title: 'Support lead' }),
  profile('Farid Haddad', 'member', { shift: early, department: 'Dispatch', job_title: 'Dispatcher' }),
  profile('Greta Lindqvist', 'member', { shift: late, department: 'Dispatch', job_title: 'Dispatcher' }),
  profile('Hiro Tanaka', 'member', { shift: night, department: 'Dispatch', job_title: 'Night dispatcher' }),
  profile('Ines Moreau', 'member', {
    shift: { ...early, weekdays: [3, 4, 5, 6, 0] },
    department: 'Warehouse',
    job_title: 'Warehouse lead',
  }),
  {
    ...profile('Jonas Becker', 'viewer', {
      shift: { ...night, weekdays: [5, 6] },
      department: 'Relief',
      job_title: 'Relief dispatcher',
    }),
    employment_type: 'part_time',
  },
  profile('Kofi Mensah', 'member', {
    shift: { ...late, weekdays: [4, 5, 6, 0, 1] },
    department: 'Warehouse',
    job_title: 'Fleet coordinator',
  }),
  profile('Lena Novak', 'member', { shift: office, department: 'Finance', job_title: 'Accountant' }),
]

function profile(
  name: string,
  role: MemberRole,
  { shift, department, job_title }: Pick<Profile, 'shift' | 'department' | 'job_title'>,
): Profile {
  return { name, role, department, job_title, employment_type: 'full_time', shift, place: placeOf(shift) }
}

function placeOf({ isOffice, from }: Shift): Place {
  if (isOffice) return 'office'
  return from === night.from ? 'night' : 'gate'
}

const deviceKinds = {
  office: { device_name: 'Front door', source_type: 'zkteco', external_device_id: 'DEMO-DOOR-1' },
  gate: { device_name: 'Warehouse gate', source_type: 'hikvision', external_device_id: 'DEMO-GATE-2' },
  night: { device_name: 'Yard entrance', source_type: 'zkteco', external_device_id: 'DEMO-YARD-3' },
} as const

/** Somebody of the company; `id` is the user's. */
export interface Person {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly employeeId: number
  readonly employeeCode: string
  readonly attendanceUid: string
  readonly department: string
  readonly shift: Shift
  readonly device: Device
}

interface Device {
  readonly id: number
  readonly source_type: string
  readonly external_device_id: string
}

export interface Staff {
  readonly people: readonly Person[]
  readonly frontDoor: Device & { readonly secret: string }
}

/** Makes the company's people, with a profile each, and the devices at its doors. */
export async function hirePeople(app: TxApp, workspace_id: number): Promise<Staff> {
  const frontDoor = { ...(await createDevice(app, { workspace_id, ...deviceKinds.office })), ...deviceKinds.office }
  const devices: Record<Place, Device> = {
    office: frontDoor,
    gate: { ...(await registerDevice(app, { workspace_id, ...deviceKinds.gate })), ...deviceKinds.gate },
    night: { ...(await registerDevice(app, { workspace_id, ...deviceKinds.night })), ...deviceKinds.night },
  }
  const people: Person[] = []
  for (const [index, one] of profiles.entries()) people.push(await hire(app, { workspace_id, index, one, devices }))
  return { people, frontDoor }
}

interface Hired {
  readonly workspace_id: number
  readonly index: number
  readonly one: Profile
  readonly devices: Readonly<Record<Place, Device>>
}

async function hire(app: TxApp, { workspace_id, index, one, devices }: Hired): Promise<Person> {
  const { name, role, shift, place, ...job } = one
  const email = `${name.split(' ')[0]?.toLowerCase()}@demo.example`
  const member = await addMember(app, { workspace_id, name, email, role })
  const employee_code = `E-${String(index + 1).padStart(3, '0')}`
  const attendance_uid = String(1001 + index)
  const joined_at = `20${18 + (index % 7)}-${String(1 + ((index * 5) % 12)).padStart(2, '0')}-01`
  const codes = { employee_code, attendance_uid, joined_at }
  const { id: employeeId } = await createEmployee(app, { workspace_id, user_id: member.id, ...codes, ...job })
  const { department } = job
  const known = {
    employeeCode: employee_code,
    attendanceUid: attendance_uid,
    department,
    shift,
    device: devices[place],
  }
  return { id: member.id, name, email, employeeId, ...known }
}
