import { createLead, listDeals } from '../crm.ts'
import { listEmployees, recordPunch } from '../hrms.ts'
import { listProjects } from '../projects.ts'
import { createTask } from '../tasks.ts'
import { createTicket, listTickets } from '../tickets.ts'
import { exampleOf } from './example.ts'
import { ada, mateo, relaunch, unmatchedPunch } from './people.ts'

// The smallest body comes first: it is the one that an interactive reference fills in, and it works in any workspace.

const titleMissing = {
  'title-missing': { message: 'The title field is required.', errors: { title: ['The title field is required.'] } },
}

const tickets = [
  exampleOf(listTickets, {
    answers: {
      tickets: {
        data: [
          {
            id: 42,
            ticket_number: 'TKT-00042',
            title: 'Checkout fails with a coupon',
            status: 'open',
            priority: 'high',
            category: 'billing',
            assigned_to: ada.id,
            created_by: mateo.id,
            created_at: '2026-11-20T18:51:53.123456Z',
            updated_at: '2026-11-20T19:02:10.000417Z',
            assignee: ada,
            creator: mateo,
          },
        ],
      },
    },
  }),
  exampleOf(createTicket, {
    bodies: {
      'title-only': { title: 'Checkout fails with a coupon' },
      full: {
        title: 'Checkout fails with a coupon',
        description: 'The total becomes negative when a coupon exceeds the price.',
        priority: 'high',
        category: 'billing',
        assigned_to: ada.id,
        project_id: relaunch.id,
        due_at: '2026-12-01',
        tags: ['checkout', 'regression'],
      },
    },
    answers: {
      created: {
        data: {
          id: 42,
          ticket_number: 'TKT-00042',
          title: 'Checkout fails with a coupon',
          status: 'open',
          priority: 'high',
          category: 'billing',
          assigned_to: ada.id,
          created_by: mateo.id,
          created_at: '2026-11-20T18:51:53.123456Z',
          assignee: ada,
          creator: mateo,
          project: relaunch,
        },
      },
    },
    refusals: {
      422: {
        ...titleMissing,
        'unknown-project': {
          message: 'The selected project_id is not in this workspace.',
          errors: { project_id: ['The selected project_id is not in this workspace.'] },
        },
      },
    },
  }),
]

const tasks = [
  exampleOf(createTask, {
    bodies: {
      'title-only': { title: 'Write a failing test for coupons' },
      full: {
        title: 'Write a failing test for coupons',
        description: 'Cover a coupon that exceeds the price.',
        status: 'todo',
        priority: 'medium',
        project_id: relaunch.id,
        ticket_id: 42,
        parent_id: 6,
        assigned_to: ada.id,
        due_at: '2026-11-27',
        tags: ['testing'],
      },
    },
    answers: {
      created: {
        data: {
          id: 7,
          title: 'Write a failing test for coupons',
          status: 'todo',
          priority: 'medium',
          project_id: relaunch.id,
          ticket_id: 42,
          assigned_to: ada.id,
          created_by: mateo.id,
          due_at: '2026-11-27T00:00:00.000000Z',
          created_at: '2026-11-20T18:55:20.004210Z',
          assignee: ada,
          project: relaunch,
          ticket: { id: 42, ticket_number: 'TKT-00042', title: 'Checkout fails with a coupon' },
        },
      },
    },
    refusals: { 422: titleMissing },
  }),
]

const projects = [
  exampleOf(listProjects, {
    answers: {
      projects: {
        data: [
          {
            ...relaunch,
            status: 'active',
            color: '#2563eb',
            starts_at: '2026-10-01',
            due_at: '2027-02-26',
            created_at: '2026-09-24T08:15:00.250000Z',
          },
        ],
      },
    },
  }),
]

const hrms = [
  exampleOf(listEmployees, {
    answers: {
      employees: {
        data: [
          {
            id: 8,
            user_id: ada.id,
            employee_code: 'E-1008',
            attendance_uid: '1008',
            department: 'Engineering',
            job_title: 'Software engineer',
            employment_type: 'full_time',
            joined_at: '2024-03-18',
            user: { ...ada, email: 'ada@northwind.test' },
          },
        ],
      },
    },
  }),
  exampleOf(recordPunch, {
    bodies: {
      'check-in': {
        employee_code: 'E-1008',
        external_device_id: 'ZK-7F3A',
        source_type: 'zkteco',
        direction: 'in',
        timestamp: '2026-11-20T09:00:00+01:00',
      },
      toggle: { email: 'ada@northwind.test', device_id: 4 },
    },
    answers: {
      'check-in': {
        recorded: true,
        action: 'check_in',
        duplicate: false,
        user_id: ada.id,
        check_in_at: '2026-11-20T08:00:00.000000Z',
        check_out_at: null,
        device_id: 4,
        punch_id: 311,
      },
    },
    refusals: {
      422: {
        'device-not-found': unmatchedPunch,
        'timestamp-too-old': {
          message: 'The timestamp field must not be older than 31 days.',
          errors: { timestamp: ['The timestamp field must not be older than 31 days.'] },
        },
      },
    },
  }),
]

const crm = [
  exampleOf(listDeals, {
    answers: {
      deals: {
        data: [
          {
            id: 21,
            title: 'Annual licence',
            stage: 'negotiation',
            amount: '18500.00',
            account_id: 5,
            owner_id: mateo.id,
            expected_close_at: '2026-12-18',
            created_at: '2026-11-03T10:20:30.000001Z',
            account: { id: 5, name: 'Fabrikam' },
            owner: mateo,
          },
        ],
      },
    },
  }),
  exampleOf(createLead, {
    bodies: {
      'required-only': { name: 'Grace Kim', source: 'website' },
      full: {
        name: 'Grace Kim',
        source: 'website',
        email: 'grace@fabrikam.test',
        phone: '+49 30 5550123',
        company: 'Fabrikam',
        notes: 'Asked for a demo next week.',
        estimated_value: 2500,
      },
    },
    answers: {
      created: {
        data: {
          id: 33,
          name: 'Grace Kim',
          email: 'grace@fabrikam.test',
          phone: '+49 30 5550123',
          company: 'Fabrikam',
          source: 'website',
          estimated_value: '2500.00',
          status: 'new',
          created_at: '2026-11-20T18:59:01.770003Z',
        },
      },
    },
    refusals: {
      409: { duplicate: { message: 'An open lead with this email already exists.' } },
      422: {
        'name-missing': { message: 'The name field is required.', errors: { name: ['The name field is required.'] } },
      },
    },
  }),
]

export const apiExamples = [...tickets, ...tasks, ...projects, ...hrms, ...crm]
