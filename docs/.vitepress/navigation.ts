import type { DefaultTheme } from 'vitepress'

type Items = DefaultTheme.SidebarItem[]

/** The pages in reading order. */
export const sidebar: Items = [
  {
    text: 'Start in five minutes',
    items: [
      { text: 'Call the API', link: '/start/call' },
      { text: 'Receive your first webhook', link: '/start/receive' },
      { text: 'Test your integration', link: '/start/test' },
      { text: 'Host it for a team', link: '/start/host' },
    ],
  },
  {
    text: 'Calling the API',
    items: [
      { text: 'Authentication', link: '/guides/authentication' },
      { text: 'Python, Go, and generated clients', link: '/guides/other-languages' },
      { text: 'Errors', link: '/guides/errors' },
      { text: 'Retries and idempotency', link: '/guides/retries' },
      { text: 'Client recipes', link: '/guides/client-recipes' },
      { text: 'Limits', link: '/guides/limits' },
      { text: 'Versions and deprecation', link: '/guides/versions' },
    ],
  },
  {
    text: 'Webhooks out',
    items: [
      { text: 'Receiving webhooks', link: '/webhooks' },
      { text: 'Verifying in other languages', link: '/guides/verify-languages' },
      { text: 'Graceful shutdown', link: '/guides/shutdown' },
    ],
  },
  {
    text: 'Webhooks in',
    items: [
      { text: 'Sending events to the platform', link: '/guides/push' },
      { text: 'Error reports', link: '/error-formats' },
      { text: 'Git events and leads', link: '/git-and-leads' },
      { text: 'Correct how a source is read', link: '/guides/mapping' },
      { text: 'Attendance devices', link: '/guides/attendance' },
    ],
  },
  {
    text: 'Testing',
    items: [
      { text: 'Transports and runners', link: '/testing/transports' },
      { text: 'Jest', link: '/guides/jest' },
      { text: 'Data', link: '/testing/seeds' },
      { text: 'Faults', link: '/testing/faults' },
      { text: 'Resilience', link: '/testing/resilience' },
      { text: 'Journal and contract', link: '/testing/journal' },
      { text: 'Webhooks and time', link: '/testing/events' },
      { text: 'Coverage of the test double', link: '/COVERAGE' },
    ],
  },
  {
    text: 'Running the platform',
    items: [
      { text: 'Hosting', link: '/self-hosting' },
      { text: 'Docker and systemd', link: '/guides/docker' },
      { text: 'A tour of the dashboard', link: '/guides/dashboard' },
      { text: 'Administration', link: '/administration' },
      { text: 'Service levels and automation', link: '/guides/automation' },
      { text: 'Security', link: '/security' },
      { text: 'Scaling', link: '/scaling' },
      { text: 'Traces', link: '/guides/tracing' },
    ],
  },
  {
    text: 'Packages',
    items: [
      { text: '@service/client', link: '/packages/client' },
      { text: '@service/webhooks', link: '/packages/webhooks' },
      { text: '@service/server', link: '/packages/server' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: '@service/client', link: '/reference/client/contents' },
      { text: '@service/webhooks', link: '/reference/webhooks/contents' },
      { text: '@service/server', link: '/reference/server/contents' },
    ],
  },
  {
    text: 'More',
    items: [
      { text: 'Alternatives', link: '/guides/alternatives' },
      { text: 'Questions', link: '/guides/questions' },
      { text: 'Troubleshooting', link: '/guides/troubleshooting' },
      { text: 'Architecture', link: '/ARCHITECTURE' },
    ],
  },
]

/** The path of each page in `docs/`. */
export const pathsOf = (items: Items): string[] =>
  items.flatMap(({ link, items: below = [] }) => [
    ...(link === undefined ? [] : [`${link.slice(1)}.md`]),
    ...pathsOf(below),
  ])
