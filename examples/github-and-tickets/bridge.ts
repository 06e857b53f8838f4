import type { Admin } from '@service/client/admin'
import { createWebhookHandler } from '@service/webhooks'
import type { GitHub } from './github.ts'

export interface BridgeOptions {
  readonly admin: Pick<Admin, 'tickets'>
  readonly workspace: number
  /** Of the subscription to `ticket.created` and `ticket.resolved`. */
  readonly secret: string
  readonly github: GitHub
  /** Hands a delivery of GitHub on to the platform's own webhook, which verifies its signature. */
  readonly forward: (request: Request) => Promise<Response>
  /** Ticket id → number of the issue that was opened for it. In an application: a table. */
  readonly issues: Map<number, number>
}

/** Stands at the end of the body of every issue that the bridge opens, where nobody sees it. */
const marker = '<!-- from a ticket -->'

/**
 * Issues become tickets and tickets become issues. Each change has one origin: nothing that came from the other side is sent
 * back to it, and nothing is written that already is so.
 */
export function createBridge({ admin, workspace, secret, github, forward, issues }: BridgeOptions) {
  /** The issue of a ticket: the one it was made of, or the one that was made of it. */
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
    // The platform would make a second ticket of it.
    const isOurs = action === 'opened' && issue?.body?.includes(marker) === true
    if (isOurs) return Response.json({ received: true })
    const answer = await forward(request)
    if (answer.ok && action === 'closed' && issue !== undefined) await resolveTicketOf(issue.number)
    return answer
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

/** Nothing is believed before the platform has verified the bytes; what is no JSON is the platform's to refuse. */
function readEvent(text: string): IssueEvent {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
