import { maxTextLength, text } from '@service/contract'
import { Mapping } from '@service/contract/admin/mapping'
import { integrationNames } from '@service/contract/integration-names'
import * as z from 'zod/mini'
import { receiveErrors } from '../../../modules/error-reports/service.ts'
import { setGitIntegration } from '../../../modules/integrations/git-service.ts'
import { issueSecret, updateIntegration } from '../../../modules/integrations/service.ts'
import { createSubscription, NewSubscription } from '../../../modules/webhooks/service.ts'
import { defineFactory } from '../define-factory.ts'
import { pinnedSecret } from '../sample.ts'

const kind = z.optional(z.enum(integrationNames))

/** An inbound integration with its secret. As in the platform, a Git provider has one only if it is passed. */
export const integration = defineFactory({
  kind: 'integration',
  shape: {
    kind,
    enabled: z.optional(z.boolean()),
    open_tickets: z.optional(z.boolean()),
    secret: pinnedSecret,
    mapping: z.optional(Mapping),
  },
  async make(app, { workspace_id: workspaceId, kind = 'errors', enabled = true, open_tickets, secret, mapping }) {
    if (kind !== 'errors' && kind !== 'attendance') {
      const integration = await setGitIntegration(app, { workspaceId, provider: kind, enabled, open_tickets, secret })
      return { ...integration, ...(secret === undefined ? {} : { secret }) }
    }
    if (mapping !== undefined) await updateIntegration(app, { workspaceId, integration: kind }, { mapping })
    return issueSecret(app, { workspaceId, integration: kind }, { enabled, secret })
  },
})

const line = text(maxTextLength)

/** An error report, which is counted on an existing ticket or opens one. */
export const errorReport = defineFactory({
  kind: 'errorReport',
  shape: {
    message: line,
    exception: line,
    file: line,
    line: z.optional(z.int()),
    url: line,
    app: line,
    environment: line,
    severity: line,
  },
  make(app, { workspace_id, message, exception, ...fields }) {
    const report = { message: message ?? 'Something went wrong', exception: exception ?? 'RuntimeException', ...fields }
    const body = Buffer.from(JSON.stringify(report))
    const delivery = {
      workspaceId: workspace_id,
      requestId: 'seed',
      headers: { 'content-type': 'application/json' },
      body,
    }
    // A seeded error has a ticket, regardless of its severity.
    const policy = { minLevel: 'trace', resolvesTickets: false, maxNewTickets: 1, mapping: null } as const
    return receiveErrors(app, delivery, policy)
  },
})

/** A subscription to outbound events; all events by default. */
export const subscription = defineFactory({
  kind: 'subscription',
  shape: {
    ...z.partial(z.omit(NewSubscription, { workspace_id: true })).shape,
    /** Fixes the signing secret. */
    secret: pinnedSecret,
  },
  make: (app, { workspace_id, secret, url = 'https://receiver.test/webhooks', events = ['*' as const], ...fields }) =>
    createSubscription(app, { workspace_id, url, events, ...fields }, secret === undefined ? {} : { secret }),
})
