import type { Channel, Message } from '@service/contract/admin/messages'
import { localDay } from '../../core/zones.ts'
import { LinkButton } from '../../ui/components/button.tsx'
import { Composer } from '../../ui/components/composer.tsx'
import { FilterBar } from '../../ui/components/filter-bar.tsx'
import { Icon } from '../../ui/components/icon.tsx'
import { Empty } from '../../ui/components/notice.tsx'
import { Avatar, authorOf } from '../../ui/components/person.tsx'
import { Pager } from '../../ui/components/table.tsx'
import { clockTime, exactTime, longDay, pluralize } from '../../ui/format.ts'
import {
  type FormState,
  idempotency,
  newForm,
  numberOrUndefined,
  submit,
  textOrUndefined,
  urlWith,
} from '../../ui/forms.ts'
import {
  type PageContent,
  type PageResult,
  recordRef,
  redirect,
  show,
  type WorkspacePage,
  type WorkspacePages,
} from '../../ui/page-types.ts'
import { listNames } from '../../ui/resource/fields.tsx'
import { channelPages } from './channel-pages.tsx'

export const messagePages: WorkspacePages = [
  ...channelPages,
  {
    method: 'GET',
    path: '/messages',
    handle: (page) => (page.query.has('search') ? searchMessages(page) : firstChannel(page)),
  },
  { method: 'GET', path: '/messages/{id}', handle: (page) => channelPage(page, newForm()) },
  { method: 'POST', path: '/messages/{id}', role: 'member', handle: postMessage },
  { method: 'POST', path: '/mentions/{id}', role: 'viewer', handle: dismissMention },
]

/** The most channels, and members that @ completes, on a page. */
const maxNames = 1000

const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name)

async function loadChannels({ admin, workspace }: WorkspacePage): Promise<readonly Channel[]> {
  const channels = await admin.channels.list({ workspace: workspace.id }, { limit: 200 }).all({ limit: maxNames })
  return channels.toSorted(byName)
}

async function firstChannel(page: WorkspacePage): Promise<PageResult> {
  const [first] = await loadChannels(page)
  if (first !== undefined)
    return {
      ...(await channelPage({ ...page, params: { ...page.params, id: String(first.id) } }, newForm())),
      title: 'Messages',
      crumbs: [],
    }
  return show({
    title: 'Messages',
    live: true,
    body: (
      <div id="channels" data-live="messages">
        <h1 class="sr">Messages</h1>
        <Empty
          icon="message-square"
          title="No channels yet"
          actions={page.can('member') && <LinkButton href={page.link('/messages/new')}>New channel</LinkButton>}
        >
          Members write to each other in channels. Rules and programs can post there too.
        </Empty>
      </div>
    ),
  })
}

async function channelPage(page: WorkspacePage, state: FormState): Promise<PageContent> {
  const workspaceRef = { workspace: page.workspace.id }
  const ref = recordRef(page)
  const before = numberOrUndefined(page.query, 'before')
  const [channel, channels, messages] = await Promise.all([
    page.admin.channels.get(ref),
    loadChannels(page),
    page.admin.messages.list(workspaceRef, { channel_id: ref.id, before }),
  ])
  const own = page.link(`/messages/${channel.id}`)
  return show({
    title: channel.name,
    crumbs: [{ label: 'Messages', href: page.link('/messages') }],
    live: true,
    status: state.status,
    body: (
      <div class="messages">
        <ChannelNav page={page} channels={channels} current={channel} />
        <section class="conversation" aria-labelledby="channel-name">
          <div class="conversation-head">
            <h1 id="channel-name" dir="auto">
              {channel.name}
            </h1>
            <SearchMessages page={page} />
            {page.can('member') && (
              <LinkButton href={`${own}/edit`} variant="quiet" small icon="pencil" label={`Rename ${channel.name}`} />
            )}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a nested section would need its own heading */}
          <div class="conversation-scroll" role="region" tabindex={0} aria-label={`Messages in ${channel.name}`}>
            <div id="message-list" data-live="messages">
              {messages.next_before !== null && (
                <a class="button small older" href={`${own}?before=${messages.next_before}`}>
                  Older messages
                </a>
              )}
              {messages.data.length === 0 && <p class="quiet">No messages yet.</p>}
              <MessageList page={page} messages={messages.data.toReversed()} />
            </div>
          </div>
          {before !== undefined && (
            <a class="button" href={own}>
              Newest messages
            </a>
          )}
          {before === undefined && page.can('member') && (
            <Composer
              action={own}
              state={state}
              label={`Message to ${channel.name}`}
              verb="Send"
              names={await listNames(page, 'members', maxNames)}
              autofocus
            />
          )}
        </section>
      </div>
    ),
  })
}

/** The newest messages with some words, of all channels. */
async function searchMessages(page: WorkspacePage): Promise<PageResult> {
  const path = page.link('/messages')
  const search = textOrUndefined(page.query, 'search')
  const query = { search, before: numberOrUndefined(page.query, 'before') }
  const { data, next_before } = await page.admin.messages.list({ workspace: page.workspace.id }, query)
  return show({
    title: 'Search messages',
    crumbs: [{ label: 'Messages', href: page.link('/messages') }],
    body: (
      <>
        <h1 class="sr">Search messages</h1>
        <SearchMessages page={page} />
        {data.length === 0 ? (
          <Empty icon="search" title="No messages match">
            Searches the beginnings of words.
          </Empty>
        ) : (
          <>
            <MessageList page={page} messages={data} />
            <Pager
              summary={pluralize(data.length, 'message')}
              page={page}
              href={urlWith(path, { search })}
              next={next_before}
            />
          </>
        )}
      </>
    ),
  })
}

const SearchMessages = ({ page }: { readonly page: WorkspacePage }) => (
  <FilterBar path={page.link('/messages')} query={page.query} search="Search messages" filters={[]} />
)

function ChannelNav({
  page,
  channels,
  current,
}: {
  readonly page: WorkspacePage
  readonly channels: readonly Channel[]
  readonly current: Channel
}) {
  return (
    <nav class="channels" aria-label="Channels" id="channels" data-live="messages">
      <ul>
        {channels.map(({ id, name }) => (
          <li>
            <a
              class="nav-item"
              href={page.link(`/messages/${id}`)}
              aria-current={id === current.id ? 'page' : undefined}
            >
              <Icon name="hash" />
              <bdi class="clip" title={name}>
                {name}
              </bdi>
            </a>
          </li>
        ))}
      </ul>
      {page.can('member') && (
        <LinkButton href={page.link('/messages/new')} variant="quiet" small icon="plus">
          New channel
        </LinkButton>
      )}
    </nav>
  )
}

const groupedWithinMs = 300_000

interface MessageListProps {
  readonly page: WorkspacePage
  /** Oldest first. */
  readonly messages: readonly Message[]
}

/** Messages grouped by day. Consecutive messages of one author show the name once. */
function MessageList({ page: { zone, link }, messages }: MessageListProps) {
  return (
    <ol class="message-list">
      {messages.map((message, index) => {
        const at = Date.parse(message.created_at)
        const last = messages[index - 1]
        const lastAt = last === undefined ? 0 : Date.parse(last.created_at)
        const isNewDay = localDay(at, zone) !== localDay(lastAt, zone)
        const author = authorOf(message)
        const isSame = last?.author_id === message.author_id && authorOf(last) === author
        const isContinued = !isNewDay && isSame && at - lastAt < groupedWithinMs
        return (
          <>
            {isNewDay && <li class="day">{longDay(localDay(at, zone))}</li>}
            <li id={`message-${message.id}`} class={isContinued ? 'message continued' : 'message'}>
              {!isContinued && <Avatar name={author} />}
              <div>
                <p class={isContinued ? 'sr' : 'message-head'}>
                  <strong>{author}</strong>{' '}
                  <time class="meta" dateTime={message.created_at} title={exactTime(at, zone)}>
                    {clockTime(at, zone)}
                  </time>
                  {message.ticket_id !== null && (
                    <>
                      {' '}
                      <a class="meta" href={link(`/tickets/${message.ticket_id}`)}>
                        Ticket
                      </a>
                    </>
                  )}
                </p>
                <p class="prose" dir="auto">
                  {message.body}
                </p>
              </div>
            </li>
          </>
        )
      })}
    </ol>
  )
}

async function postMessage(page: WorkspacePage): Promise<PageResult> {
  const { workspace, id } = recordRef(page)
  const message = { channel_id: id, body: page.form.text('body') }
  const result = await submit(page, page.admin.messages.create({ workspace }, message, idempotency(page.form)))
  return result.ok ? redirect(page.link(`/messages/${id}`)) : channelPage(page, result.form)
}

async function dismissMention(page: WorkspacePage): Promise<PageResult> {
  const result = await page.admin.mentions.delete(recordRef(page)).safe()
  // Another tab may have dismissed it.
  if (!result.ok && result.error.code !== 'not_found') throw result.error
  return redirect(page.returnPath, 'The mention is dismissed')
}
