const now = '2026-11-20T18:51:53.123456Z'

export const ticket = {
  id: 7,
  ticket_number: 'TKT-00007',
  title: 'The printer is on fire',
  status: 'open',
  priority: 'high',
  category: null,
  assigned_to: null,
  created_by: 3,
  created_at: now,
  updated_at: now,
  assignee: null,
  creator: { id: 3, name: 'Ada' },
}
const { updated_at: _, ...core } = ticket
export const createdTicket = { ...core, project: null }

export const unmatchedPunch = {
  recorded: false,
  reason: 'device_not_found',
  hint: 'Register the device first.',
  registered_devices: [{ id: 1, source_type: 'agent', device_name: 'Door', external_device_id: 'D-1' }],
}
export const recordedPunch = {
  recorded: true,
  action: 'check_in',
  duplicate: false,
  user_id: 3,
  check_in_at: now,
  check_out_at: null,
  device_id: 1,
  punch_id: 12,
}
export const lead = {
  id: 4,
  name: 'Grace',
  email: 'grace@example.org',
  phone: null,
  company: null,
  source: 'website',
  estimated_value: '1234.50',
  status: 'new',
  created_at: now,
}
