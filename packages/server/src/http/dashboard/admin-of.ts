import { isServiceError } from '@service/client'
import { type Admin, createAdminClient } from '@service/client/admin'
import { adminBasePath } from '@service/contract'
import type { Context } from 'hono'
import { defaultOrigin } from '../../core/config.ts'
import type { AdminRefusal } from '../../ui/page-types.ts'

/** Answers a request to administration. */
export type AnswerAdmin = (request: Request, env: unknown) => Response | Promise<Response>

/** What tells administration where a request comes from, for the audit log and to count guesses. */
const passedOn = ['x-forwarded-for', 'user-agent', 'x-request-id']

/** Administration for one request to the dashboard. */
export interface AdminOfPage {
  readonly admin: Admin
  /**
   * What administration has said, word for word. An error of the client may be logged by anybody, so it leaves out what
   * looks like an address or was sent; the reader of a page has sent it.
   */
  refusalOf(error: unknown): AdminRefusal | undefined
}

/**
 * Administration as the person whose session it is. The pages' requests take the same way as anybody's, so who may do
 * what, what is checked and what is recorded is decided in one place.
 */
export function adminOf(c: Context, answer: AnswerAdmin, session: string | undefined): AdminOfPage {
  const refusals = new Map<string, AdminRefusal>()
  const admin = createAdminClient({
    baseUrl: `${defaultOrigin}${adminBasePath}`,
    token: session ?? 'nobody',
    dangerouslyAllowBrowser: true, // a test environment may look like a browser
    maxRetries: 0,
    fetch: async (request) => {
      const answered = await answer(new Request(request, { headers: headersOf(c, request, session) }), c.env)
      const requestId = answered.headers.get('x-request-id')
      if (!answered.ok && requestId !== null) refusals.set(requestId, await readRefusal(answered))
      return answered
    },
  })
  return {
    admin,
    refusalOf: (error) => (isServiceError(error) ? refusals.get(error.requestId ?? '') : undefined),
  }
}

function headersOf(c: Context, request: Request, session: string | undefined): Headers {
  const headers = new Headers(request.headers)
  headers.delete('user-agent')
  if (session === undefined) headers.delete('authorization')
  for (const name of passedOn) {
    const value = c.req.raw.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

async function readRefusal(answered: Response): Promise<AdminRefusal> {
  const { message = '', errors = {} } = await answered.clone().json()
  return { message, errors }
}
