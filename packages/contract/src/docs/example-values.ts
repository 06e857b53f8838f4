// The people and things that the examples of all references share, so that a reader can follow one story.

/** A page of a list with nothing after it. */
export const page = <Item>(...data: Item[]) => ({ data, next_before: null })
export const sortablePage = <Item>(...data: Item[]) => ({ ...page(...data), next_cursor: null })

export const ada = { id: 12, name: 'Ada Obi' }
export const adaEmail = 'ada@northwind.test'
export const mateo = { id: 15, name: 'Mateo Ruiz' }
export const relaunch = { id: 3, name: 'Website relaunch' }
export const project = {
  ...relaunch,
  status: 'active',
  color: '#2563eb',
  starts_at: '2026-10-01',
  due_at: '2027-02-26',
  created_at: '2026-09-24T08:15:00.250000Z',
}

export const workspace = {
  id: 1,
  name: 'Northwind',
  time_zone: 'Europe/Berlin',
  currency: 'EUR',
  disabled_at: null,
  created_at: '2026-11-03T10:20:30.000001Z',
}

export const ticketReference = { id: 42, ticket_number: 'TKT-00042', title: 'Checkout fails with a coupon' }
const ticketInBoth = {
  ...ticketReference,
  status: 'open',
  priority: 'high',
  category: 'billing',
  assigned_to: ada.id,
  created_by: mateo.id,
  created_at: '2026-11-20T18:51:53.123456Z',
  assignee: ada,
  creator: mateo,
}
export const createdTicket = { ...ticketInBoth, project: relaunch }
export const ticket = { ...ticketInBoth, updated_at: '2026-11-20T19:02:10.000417Z' }
export const ticketDescription = 'The total becomes negative when a coupon exceeds the price.'

export const listedTask = {
  id: 7,
  title: 'Write a failing test for coupons',
  status: 'todo',
  priority: 'medium',
  project_id: relaunch.id,
  ticket_id: ticket.id,
  assigned_to: ada.id,
  due_at: '2026-11-27T00:00:00.000000Z',
  created_at: '2026-11-20T18:55:20.004210Z',
}
export const task = {
  ...listedTask,
  created_by: mateo.id,
  assignee: ada,
  project: relaunch,
  ticket: ticketReference,
}

export const deal = {
  id: 21,
  title: 'Annual license',
  stage: 'negotiation',
  amount: '18500.00',
  account_id: 5,
  owner_id: mateo.id,
  expected_close_at: '2026-12-18',
  created_at: '2026-11-03T10:20:30.000001Z',
  account: { id: 5, name: 'Fabrikam' },
  owner: mateo,
}

export const grace = { name: 'Grace Kim', email: 'grace@fabrikam.test', phone: '+49 30 5550123', company: 'Fabrikam' }
export const lead = {
  id: 33,
  ...grace,
  source: 'website',
  estimated_value: '2500.00',
  status: 'new',
  created_at: '2026-11-20T18:59:01.770003Z',
}

export const employee = {
  id: 8,
  user_id: ada.id,
  employee_code: 'E-1008',
  attendance_uid: '1008',
  department: 'Engineering',
  job_title: 'Software engineer',
  employment_type: 'full_time',
  joined_at: '2024-03-18',
  user: { ...ada, email: adaEmail },
}
export const frontDoor = { id: 4, source_type: 'zkteco', device_name: 'Front door', external_device_id: 'ZK-7F3A' }
export const checkIn = {
  employee_code: employee.employee_code,
  external_device_id: frontDoor.external_device_id,
  direction: 'in' as const, // one of a closed list
  timestamp: '2026-11-20T09:00:00+01:00',
}
export const recordedPunch = {
  recorded: true as const, // the tag of the union
  action: 'check_in',
  duplicate: false,
  user_id: ada.id,
  check_in_at: '2026-11-20T08:00:00.000000Z',
  check_out_at: null,
  device_id: frontDoor.id,
  punch_id: 311,
}
export const unmatchedPunch = {
  recorded: false as const, // the tag of the union
  reason: 'device_not_found',
  hint: 'Register the device, or send the device_id or external_device_id of a registered one. The punch is kept and can be replayed.',
  registered_devices: [frontDoor],
}

export const negativeTotal = {
  message: 'Coupon total is negative',
  exception: 'RangeError',
  file: 'src/checkout/total.ts',
  line: 88,
  framework: 'express',
  environment: 'production',
  severity: 'error',
}

export const titleMissing = {
  'title-missing': { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
}

/** The refusal of a body that is no JSON, by the webhooks that read it themselves. */
export const unreadable = {
  'malformed-json': { message: 'The body is not valid JSON.', errors: { body: ['The body is not valid JSON.'] } },
}
