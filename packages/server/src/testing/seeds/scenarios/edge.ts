import { type Micros, toDay } from '../../../core/clock.ts'
import type { SeedData, SeedWorkspace } from '../seed.ts'

// Data that breaks programs tested only with ordinary data, with the reason for each value.

const letters = 'abcdefghijklmnopqrstuvwxyz'

const titles = [
  'مرحبا بالعالم', // right to left
  'שלום \u202Eesrever\u202C', // bidirectional overrides
  'Zoë Müller-Łukasiewicz 東京 Привет', // several scripts
  '👩‍👩‍👧‍👦 family of four in eleven code units', // joined by U+200D: truncation shows other people
  'e\u0301 is not é', // looks the same, but is not equal
  'İstanbul ıssız', // lower-casing depends on the locale
  'ﬁ ligature', // longer in upper case
  '<script>alert(1)</script>',
  "Robert'); drop table tickets;--",
  '{{title}} %s %n',
  '   spaces   around   ', // displayed unchanged
  'tab\tand\nnewline',
  '\uFEFFbyte order mark',
  'null',
  '0',
  'true',
  '=1+1', // a formula in a spreadsheet export
  '../../etc/passwd',
  'x'.repeat(255), // the maximum length
  '😀'.repeat(127), // two code units each: 254 of 255
]

/** Just before and at changes of day, month, year, and daylight-saving time, until the end of `year`. */
const createInstants = (leapDay: string, year: number) => [
  `${leapDay}T23:59:59.999999Z`,
  `${year - 1}-12-31T23:59:59.999999Z`,
  `${year}-01-01T00:00:00Z`,
  `${year}-02-28T23:59:59Z`,
  `${lastSunday(year, 'March')}T01:00:00Z`, // the hour skipped in Berlin
  `${lastSunday(year, 'October')}T01:00:00Z`, // the hour repeated in Berlin
  `${year}-12-31T23:00:00Z`, // already a new year in Berlin
]

const lastLeapYear = (until: number): number =>
  new Date(Date.UTC(until, 1, 29)).getUTCMonth() === 1 ? until : lastLeapYear(until - 1)

function lastSunday(year: number, month: 'March' | 'October'): string {
  const lastDay = new Date(Date.UTC(year, month === 'March' ? 2 : 9, 31))
  lastDay.setUTCDate(31 - lastDay.getUTCDay())
  return lastDay.toISOString().slice(0, 10)
}

const createTickets = (leapDay: string, year: number): NonNullable<SeedWorkspace['tickets']> => [
  // Enough for more than one page of a list. They are the oldest, so that the first page has all others.
  ...Array.from({ length: 60 }, (_, index) => ({
    title: `Filler ${index + 1}`,
    created_at: `${Number(leapDay.slice(0, 4)) - 1}-01-01T00:00:00Z`,
  })),
  ...createInstants(leapDay, year).map((created_at) => ({
    title: `Created at ${created_at}`,
    created_at,
    created_by: null,
  })),
  ...titles.map((title) => ({ title, description: title })),
  ...[leapDay, '2000-01-01', '9999-12-31', '1970-01-01'].map((due_at) => ({ title: `Due at ${due_at}`, due_at })),
  {
    title: 'Nothing set',
    description: null,
    priority: null,
    category: null,
    assigned_to: null,
    project_id: null,
    due_at: null,
    tags: null,
    created_by: null,
  },
  { title: 'Empty texts', description: '', tags: [] },
  { title: 'The longest description', description: 'é'.repeat(65_535) },
  {
    title: 'The most and the longest tags',
    tags: Array.from({ length: 50 }, (_, index) => `${index}-`.padEnd(64, letters)),
  },
  { title: 'The same tag twice', tags: ['twice', 'twice'] },
  { title: 'Unknown values', priority: 'p'.repeat(64), category: '🏷️ category', status: 'waiting for Godot' },
  { title: 'Resolved at once', status: 'resolved' },
]

/** Two workspaces: one with values at their limits, and an empty one. Given instants are in the years before that of `now`. */
export function edgeAt(now: Micros): SeedData {
  const year = Number(toDay(now).slice(0, 4)) - 1
  const leapDay = `${lastLeapYear(year)}-02-29`
  return {
    workspaces: [
      {
        name: 'Edge 🌍',
        time_zone: 'Europe/Berlin',
        members: [
          { name: 'Ω', email: 'o@example.test', role: 'owner', key: 'owner' },
          { name: 'n'.repeat(255), email: `${'e'.repeat(63)}@${'d'.repeat(60)}.example.test` },
          { name: 'O\'Brien "Quote" <b>', email: 'plus+tag@example.test', role: 'viewer' },
        ],
        projects: [
          { name: 'مشروع', color: '#000000', starts_at: leapDay, due_at: leapDay },
          { name: 'p'.repeat(255), status: 'archived', color: '#FFFFFF' },
        ],
        accounts: [{ name: 'Ünïcödé & Söhne' }],
        channels: [{ name: '一般' }],
        tickets: createTickets(leapDay, year),
        tasks: [
          { title: 'A parent', key: 'parent', due_at: leapDay },
          { title: 'A child', parent: 'parent', project: null, created_by: null },
          { title: '✅', status: 'done', tags: Array.from({ length: 50 }, (_, index) => `${index}`) },
        ],
        messages: [{ body: `\u200B${'m'.repeat(1000)}` }, { body: 'שלום 👋', author: null }],
        deals: [
          { title: 'Nothing', amount: 0 },
          { title: 'Almost nothing', amount: 0.01 },
          { title: 'All the money', amount: 1_000_000_000_000 },
          { title: 'Nothing set', amount: null, account: null, owner: null, expected_close_at: null },
        ],
        lead_sources: [{ source: 'website' }, { source: 'whatsapp', active: false }],
        leads: [
          { name: 'No address', email: null, phone: null, company: null },
          { name: '王小明', email: 'plus+lead@example.test', phone: '+49 (0) 30 / 123-45', estimated_value: 0 },
          { name: 'Closed', email: 'closed@example.test', status: 'lost' },
        ],
        employees: [
          { user: 'o@example.test', employee_code: '0', joined_at: leapDay },
          { user: 'plus+tag@example.test', employee_code: null, attendance_uid: null, department: null },
        ],
        devices: [{ device_name: 'Tür 🚪', external_device_id: null }, { device_name: 'd'.repeat(255) }],
        punches: [
          { employee: '0', direction: 'in', timestamp: `${year - 1}-12-31T23:59:59+01:00` }, // across midnight and New Year
          { employee: '0', direction: 'out', timestamp: `${year}-01-01T06:00:00+01:00` },
        ],
        integrations: [{ kind: 'errors' }, { kind: 'attendance' }, { kind: 'github', open_tickets: true }],
        tokens: [
          { user: 'owner', name: 'Everything' },
          { user: 'owner', name: 'Webhooks', scopes: ['webhooks:manage'] },
        ],
      },
      { name: 'Nothing', members: [{ name: 'Alone', email: 'alone@example.test', role: 'owner' }], tokens: [{}] },
    ],
  }
}
