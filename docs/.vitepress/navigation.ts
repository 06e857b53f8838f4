import type { DefaultTheme } from 'vitepress'
import { type Section, sections } from './reference/sections.ts'

type Items = DefaultTheme.SidebarItem[]

const toItems = (sections: readonly Section[]): Items =>
  sections.map(({ title, path }) => ({ text: title, link: `/reference/${path}` }))

/** The pages in reading order. */
export const sidebar: Items = [
  {
    text: 'Start in five minutes',
    items: [
      { text: 'Call the API', link: '/start/call' },
      { text: 'Receive webhooks', link: '/start/receive' },
      { text: 'Test your integration', link: '/start/test' },
      { text: 'Host it', link: '/start/host' },
    ],
  },
  {
    text: 'Call',
    items: [
      { text: 'The client', link: '/guides/client' },
      { text: 'Authentication', link: '/guides/authentication' },
      { text: 'Errors', link: '/guides/errors' },
      { text: 'Retries and idempotency', link: '/guides/retries' },
      { text: 'Limits', link: '/guides/limits' },
      { text: 'Client recipes', link: '/guides/client-recipes' },
      { text: 'Python, Go, and generated clients', link: '/guides/other-languages' },
    ],
  },
  {
    text: 'Receive',
    items: [
      { text: 'Receiving webhooks', link: '/webhooks' },
      { text: 'Verifying in other languages', link: '/guides/verify-languages' },
      { text: 'Graceful shutdown', link: '/guides/shutdown' },
    ],
  },
  {
    text: 'Send to the platform',
    items: [
      { text: 'Inbound webhooks', link: '/guides/push' },
      { text: 'Error reports', link: '/error-formats' },
      { text: 'Git events and leads', link: '/git-and-leads' },
      { text: 'Mapping a source', link: '/guides/mapping' },
      { text: 'Attendance devices', link: '/guides/attendance' },
    ],
  },
  {
    text: 'Test',
    items: [
      { text: 'Features of the test server', link: '/testing/features' },
      { text: 'Transports and runners', link: '/testing/transports' },
      { text: 'Jest', link: '/guides/jest' },
      { text: 'Test data', link: '/testing/seeds' },
      { text: 'Webhooks and time', link: '/testing/events' },
      { text: 'Faults', link: '/testing/faults' },
      { text: 'Resilience', link: '/testing/resilience' },
      { text: 'What your code sees', link: '/testing/what-your-code-sees' },
      { text: 'Journal and contract', link: '/testing/journal' },
      { text: 'Record and compare', link: '/testing/record-and-compare' },
      { text: 'In CI', link: '/testing/ci' },
      { text: 'Coming from MSW, nock, json-server, or Prism', link: '/guides/migrate' },
      { text: 'Coverage', link: '/COVERAGE' },
    ],
  },
  {
    text: 'Host',
    items: [
      { text: 'Hosting', link: '/self-hosting' },
      { text: 'Docker and systemd', link: '/guides/docker' },
      { text: 'The dashboard', link: '/guides/dashboard' },
      { text: 'Administration', link: '/administration' },
      { text: 'Service levels and automation', link: '/guides/automation' },
      { text: 'Security', link: '/security' },
      { text: 'How much does it hold', link: '/guides/how-much-does-it-hold' },
      { text: 'Scaling', link: '/scaling' },
      { text: 'Monitoring and logs', link: '/guides/monitoring' },
      { text: 'When something is wrong', link: '/guides/when-something-is-wrong' },
      { text: 'What happens when', link: '/guides/what-happens-when' },
      { text: 'Traces', link: '/guides/tracing' },
      { text: 'Embedding the server', link: '/guides/embedding' },
    ],
  },
  {
    text: 'Help',
    items: [
      { text: 'Troubleshooting', link: '/guides/troubleshooting' },
      { text: 'Questions', link: '/guides/questions' },
      { text: 'Alternatives', link: '/guides/alternatives' },
      { text: 'Versions and stability', link: '/guides/versions' },
      { text: 'Architecture', link: '/ARCHITECTURE' },
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
      { text: 'Overview', link: '/reference/' },
      { text: 'REST API', collapsed: true, items: toItems(sections.rest) },
      { text: 'Inbound webhooks', collapsed: true, items: toItems(sections.inbound) },
      ...toItems(sections.outbound),
      { text: 'Administration', collapsed: true, items: toItems(sections.admin) },
      { text: 'Command line', link: '/reference/command-line' },
      { text: 'Settings', link: '/self-hosting#settings' },
      { text: 'Error responses', link: '/guides/errors#error-responses' },
      {
        text: 'TypeScript',
        collapsed: true,
        items: ['client', 'webhooks', 'server'].map((name) => ({
          text: `@service/${name}`,
          link: `/reference/${name}/contents`,
        })),
      },
    ],
  },
]

/** The path of each page in `docs/`. */
export const pathsOf = (items: Items): string[] =>
  items.flatMap(({ link, items: below = [] }) => [
    // A link to a section names a page that is in the list already.
    ...(link === undefined || link.includes('#') ? [] : [`${link.slice(1)}.md`]),
    ...pathsOf(below),
  ])
