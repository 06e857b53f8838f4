import type { Admin } from '@service/client/admin'
import { createWebhookHandler } from '@service/webhooks'
import type { GitHub } from './github.ts'

export interface BridgeOptions {
  readonly admin: Pick<Admin, 'tickets'>
  readonly workspace: number
  /** The secret of the subscription to `ticket.created` and `ticket.resolved`. */
  readonly secret: string
  readonly github: GitHub
  /** Forwards a delivery from GitHub to the platform, which verifies its signature. */
  readonly forward: (request: Request) => Promise<Response>
  /** Maps a ticket id to the number of its issue. Use a table in an application. */
  readonly issues: Map<number, number>
}

/** An invisible marker at the end of the body of every issue that the bridge creates. */
const marker = '<!-- from a ticket -->'

/**
 * Synchronizes issues and tickets. To avoid loops, it never sends a change back to its origin, and writes nothing that is
 * already up to date.
 */
export function createBridge({ admin, workspace, secret, github, forward, issues }: BridgeOptions) {
  /** Finds the issue that created the ticket, or that was created from it. */
  const findIssue = async (id: number) => {
    const { git_issue } = await admin.tickets.get({ workspace, id })
    return { isFromGitHub: git_issue !== null, issue: git_issue?.issue ?? issues.get(id) }
  }

  const fromTickets = createWebhookHandler({
    secret,
    on: {
      'ticket.created': async ({ payload: { ticket } }) => {
        const { isFromGitHub, issue } = await findIssue(ticket.id)
        if (isFromGitHub || issue !== undefined) return
        const body = `${ticket.ticket_number}\n\n${marker}`
        issues.set(ticket.id, await github.openIssue({ title: ticket.title, body }))
      },
      'ticket.resolved': async ({ payload: { ticket } }) => {
        const { issue } = await findIssue(ticket.id)
        if (issue === undefined || (await github.findState(issue)) === 'closed') return
        await github.closeIssue(issue)
      },
    },
  })

  async function fromGitHub(request: Request): Promise<Response> {
    const { action, issue } = readEvent(await request.clone().text())
    // The platform would create a second ticket from it.
    const isFromBridge = action === 'opened' && issue?.body?.includes(marker) === true
    if (isFromBridge) return Response.json({ received: true })
    const response = await forward(request)
    if (response.ok && action === 'closed' && issue !== undefined) await resolveTicketOf(issue.number)
    return response
  }

  async function resolveTicketOf(issue: number): Promise<void> {
    const [id] = [...issues].find(([, number]) => number === issue) ?? []
    if (id === undefined) return
    const { status } = await admin.tickets.get({ workspace, id })
    if (status === 'resolved' || status === 'closed') return
    await admin.tickets.update({ workspace, id }, { status: 'resolved' })
  }

  return { fromTickets, fromGitHub }
}

interface IssueEvent {
  readonly action?: string
  readonly issue?: { readonly number: number; readonly body?: string | null }
}

/** Reads an event that is not verified yet. The platform verifies it and refuses invalid JSON. */
function readEvent(text: string): IssueEvent {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
