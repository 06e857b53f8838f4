import { Badge } from '../../ui/components/badge.tsx'
import { Card } from '../../ui/components/card.tsx'
import { counted, words } from '../../ui/format.ts'
import type { OpenInbox } from '../webhooks/delivery-hub.ts'

const mostShown = 20

/** Inboxes that tests have opened, with what came to them. */
export function Inboxes({ inboxes }: { readonly inboxes: readonly OpenInbox[] }) {
  if (inboxes.length === 0)
    return (
      <Card title="Inboxes">
        <p class="quiet">
          <code>server.webhooks.capture()</code> opens one; what is delivered to it appears here.
        </p>
      </Card>
    )
  return (
    <div class="stack">
      {inboxes.map((inbox) => (
        <InboxCard inbox={inbox} />
      ))}
    </div>
  )
}

/** `Inbox 1`, as its host says. */
const nameOf = ({ url }: OpenInbox) => words(new URL(url).hostname.split('.')[0]?.replace('-', ' ') ?? 'inbox')

function InboxCard({ inbox }: { readonly inbox: OpenInbox }) {
  const arrivals = inbox.arrivals()
  return (
    <Card title={nameOf(inbox)} aside={<span class="meta">{counted(arrivals.length, 'request')}</span>} flush>
      {arrivals.length === 0 ? (
        <p class="card-body quiet">Nothing came yet.</p>
      ) : (
        <ul class="received">
          {arrivals
            .slice(-mostShown)
            .toReversed()
            .map(({ type, attempt, refused, answer }) => (
              <li>
                <code class="clip">{type}</code>
                <span class="meta">
                  {attempt > 1 && `attempt ${attempt}, `}answered {answer}
                </span>
                <Badge tone={refused === undefined ? 'ok' : 'warn'}>
                  {refused === undefined ? 'Verified' : refused}
                </Badge>
              </li>
            ))}
        </ul>
      )}
    </Card>
  )
}
