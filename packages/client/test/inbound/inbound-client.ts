import { createInboundClient, type InboundClientOptions } from '../../src/inbound.ts'

export const secrets = {
  errors: 'whs_errors-0123456789',
  attendance: 'whs_attendance-0123456789',
  leads: { website: 'whs_website-0123456789' },
  git: { github: 'github-secret', gitlab: 'gitlab-token', bitbucket: 'bitbucket-secret' },
} as const

/** An inbound client whose clock advances only when it waits. `waits` records the waits. */
export function inboundWith(options: Partial<InboundClientOptions> = {}) {
  let now = Date.UTC(2026, 10, 20)
  const waits: number[] = []
  const inbound = createInboundClient({
    webhookBaseUrl: 'http://localhost:9/api',
    workspace: 42,
    secrets,
    clock: () => now,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
    random: () => 0.5,
    ...options,
  })
  return { inbound, waits }
}

export const receipts = {
  git: { received: true, event: 'issues', stored: 1, ticket_created: false },
  error: { received: true, ticket_created: true, ticket_number: 'TKT-00001', ticket_id: 1 },
  lead: {
    received: true,
    lead_created: true,
    duplicate: false,
    skipped: false,
    reason: null,
    lead_id: 4,
    source: 'website',
  },
}
