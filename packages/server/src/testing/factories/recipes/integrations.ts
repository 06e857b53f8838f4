import { gitProviders, maxTextLength, text } from '@service/contract'
import * as z from 'zod/mini'
import { readErrorReports } from '../../../modules/error-reports/read-error-reports.ts'
import { recordErrors } from '../../../modules/error-reports/service.ts'
import { setGitIntegration } from '../../../modules/integrations/git-service.ts'
import { integrationKinds } from '../../../modules/integrations/input.ts'
import { disableIntegration, regenerateSecret } from '../../../modules/integrations/service.ts'
import { NewSubscription } from '../../../modules/webhooks/input.ts'
import { createSubscription } from '../../../modules/webhooks/service.ts'
import { recipe } from '../recipe.ts'
import { pinnedSecret } from './secret.ts'

const kind = z.optional(z.enum([...integrationKinds, ...gitProviders]))

/** An inbound integration with its secret. That of a Git provider is used only when one is given, as in the platform. */
export const integration = recipe({
  kind: 'integration',
  shape: {
    kind,
    enabled: z.optional(z.boolean()),
    create_tickets: z.optional(z.boolean()),
    secret: pinnedSecret,
  },
  relations: {},
  needs: [],
  async make(app, { workspace_id, kind = 'errors', enabled = true, create_tickets, secret }) {
    if (kind !== 'errors' && kind !== 'attendance') {
      const made = await setGitIntegration(app, { workspace_id, provider: kind, enabled, create_tickets, secret })
      return { ...made, ...(secret === undefined ? {} : { secret }) }
    }
    const made = await regenerateSecret(app, { workspace_id, kind }, secret)
    return enabled ? made : { ...made, ...(await disableIntegration(app, { workspace_id, kind })) }
  },
})

const line = text(maxTextLength)

/** An error as an application reports it: counted on its ticket, or a new one. */
export const errorReport = recipe({
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
  relations: {},
  needs: [],
  make(app, { workspace_id, message, exception, ...given }) {
    const report = { message: message ?? 'Something went wrong', exception: exception ?? 'RuntimeException', ...given }
    const body = Buffer.from(JSON.stringify(report))
    const records = readErrorReports({ body, headers: new Headers({ 'content-type': 'application/json' }) })
    return recordErrors(app, { workspaceId: workspace_id, requestId: 'seed', records })
  },
})

/** A subscription to outbound events, to all of them unless told otherwise. */
export const subscription = recipe({
  kind: 'subscription',
  shape: {
    ...z.partial(z.omit(NewSubscription, { workspace_id: true })).shape,
    /** Pins what deliveries are signed with. */
    secret: pinnedSecret,
  },
  relations: {},
  needs: [],
  make: (app, { workspace_id, secret, url = 'https://receiver.test/webhooks', events = ['*'], ...given }) =>
    createSubscription(app, { workspace_id, url, events, ...given }, secret === undefined ? {} : { secret }),
})
