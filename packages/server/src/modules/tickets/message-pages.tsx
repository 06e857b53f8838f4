import type { Message } from '@service/contract/admin/messages'
import { Button } from '../../ui/components/button.tsx'
import { Form, TextField } from '../../ui/components/form.tsx'
import { Avatar } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import type { FormState } from '../../ui/forms.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'
import { recordPath } from '../../ui/resource/list-query.ts'
import { tickets } from './list-pages.tsx'

const maxMessages = 50

/** Messages about a ticket, newest first, with the names of their authors. */
export async function loadMessages(page: WorkspacePage, ticketId: number) {
  const ref = { workspace: page.workspace.id }
  const { data: messages } = await page.admin.messages.list(ref, { ticket_id: ticketId, limit: maxMessages })
  const members = messages.length === 0 ? [] : await listNames(page, 'members')
  return { messages, authors: new Map(members.map(({ id, name }) => [id, name])) }
}

interface MessagesProps {
  readonly page: WorkspacePage
  readonly ticketId: number
  readonly messages: readonly Message[]
  readonly authors: ReadonlyMap<number, string>
  /** The form for a reply. */
  readonly form: FormState
}

/** The messages about a ticket. A reply goes to the channel of the last one. */
export function TicketMessages({ page, ticketId, messages, authors, form }: MessagesProps) {
  const [last] = messages
  if (last === undefined) return null
  const authorOf = ({ author_id }: Message) =>
    author_id === null ? 'Automation' : (authors.get(author_id) ?? 'Former member')
  return (
    <section class="section">
      <h2>Messages</h2>
      <ol class="timeline">
        {messages.toReversed().map((message) => (
          <li>
            <Avatar name={authorOf(message)} />
            <div>
              <p>
                <strong dir="auto">{authorOf(message)}</strong> · <Time at={message.created_at} /> ·{' '}
                <a href={page.link(`/messages/${message.channel_id}`)}>Channel</a>
              </p>
              <p class="prose" dir="auto">
                {message.body}
              </p>
            </div>
          </li>
        ))}
      </ol>
      {page.can('member') && (
        <Form action={recordPath(tickets, page, `${ticketId}/messages`)} state={form}>
          <input type="hidden" name="channel" value={last.channel_id} />
          <div class="composer">
            <TextField id="new-message" name="body" label="Reply" state={form} />
            <Button icon="send">Send</Button>
          </div>
        </Form>
      )}
    </section>
  )
}
