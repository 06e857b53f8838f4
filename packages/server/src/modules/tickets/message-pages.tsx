import type { Channel, Message } from '@service/contract/admin/messages'
import { Composer } from '../../ui/components/composer.tsx'
import { namedOptions, SelectField } from '../../ui/components/form.tsx'
import { Avatar, authorOf } from '../../ui/components/person.tsx'
import { Time } from '../../ui/components/time.tsx'
import type { FormState } from '../../ui/forms.ts'
import type { WorkspacePage } from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'
import { recordPath } from '../../ui/resource/list-query.ts'
import { tickets } from './list-pages.tsx'

const maxMessages = 50
const maxChannels = 200

/** The messages about a ticket, newest first. Members choose the channel of the first one. */
export async function loadMessages(page: WorkspacePage, ticketId: number) {
  const ref = { workspace: page.workspace.id }
  const { data: messages } = await page.admin.messages.list(ref, { ticket_id: ticketId, limit: maxMessages })
  if (messages.length > 0 || !page.can('member')) return { messages, channels: [] }
  const [channels, { data: last }] = await Promise.all([
    listNames(page, 'channels', maxChannels),
    page.admin.messages.list(ref, { limit: maxMessages }),
  ])
  const used = last.find(({ author_id }) => author_id === page.person.id) ?? last[0]
  return {
    messages,
    channels: channels.toSorted((a, b) => Number(b.id === used?.channel_id) - Number(a.id === used?.channel_id)),
  }
}

interface MessagesProps {
  readonly page: WorkspacePage
  readonly ticketId: number
  readonly messages: readonly Message[]
  /** The channels to choose from, the one that was used last first. */
  readonly channels: readonly Channel[]
  /** The members to mention. */
  readonly members: readonly { readonly name: string }[]
  /** The form for a comment. */
  readonly form: FormState
  /** The version of the ticket, for the properties that are parts of that form. */
  readonly version: string | undefined
}

const ticketPath = /(\/dashboard\/w\/\d{1,15}\/tickets\/\d{1,15})/

/** The text of a message, with a link for each path of a ticket in this workspace. */
function MessageText({ page, body }: { readonly page: WorkspacePage; readonly body: string }) {
  return (
    <>
      {body.split(ticketPath).map((part, index) => {
        const [, workspace, ticket] = /\/w\/(\d+)\/tickets\/(\d+)$/.exec(index % 2 === 1 ? part : '') ?? []
        if (workspace !== String(page.workspace.id)) return part
        return <a href={page.link(`/tickets/${ticket}`)}>{part}</a>
      })}
    </>
  )
}

/** The conversation about a ticket. Comments go to the channel of its last message. */
export function TicketMessages({ page, ticketId, messages, channels, members, form, version }: MessagesProps) {
  if (messages.length === 0 && !page.can('member')) return null
  return (
    <section class="section">
      <h2>Conversation</h2>
      {messages.length > 0 && (
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
                  <MessageText page={page} body={message.body} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {page.can('member') && (
        <Composer
          action={recordPath(tickets, page, `${ticketId}/messages`)}
          state={form}
          version={version}
          label="Comment"
          verb="Comment"
          names={members}
        >
          {channels.length > 1 && (
            <SelectField name="channel" label="Channel" options={namedOptions(channels)} state={form} />
          )}
        </Composer>
      )}
    </section>
  )
}
