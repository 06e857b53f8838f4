import type { Context, Hono } from 'hono'
import type { App } from '../../context.ts'
import { after } from '../../core/clock.ts'
import type { ChangeScope, Follower } from '../../store/change-signal.ts'
import type { Database } from '../../store/database.ts'
import { readCookies } from './cookies.ts'
import { toLocation } from './location.ts'
import { type AnswerAdmin, createPageAdmin, toUnavailable } from './page-context.ts'

// Notifies open pages of changes, so that they reload their content. The stream carries no data: the reload checks
// permissions.

const heartbeatMs = 15_000
const reconnectMs = 2000
/** Fills the buffers of proxies that delay responses. */
const padding = `:${' '.repeat(2048)}\n\n`

const maxTotal = 200
const maxPerWorkspace = maxTotal / 2
const maxPerPerson = 40
const maxPerSession = 8

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** `GET /w/{workspace}/live?since=`: server-sent events that name topics, or one record of a topic: `tickets:12`. */
export function mountLive(hono: Hono, app: App, answerAdmin: AnswerAdmin): void {
  hono.get('/w/:workspace{[0-9]{1,15}}/live', async (c) => {
    const workspaceId = Number(c.req.param('workspace'))
    const { session } = readCookies(c.req.raw.headers.get('cookie'), toLocation(c, app.config))
    const readScope = async () =>
      session === undefined ? undefined : findScope(c, { answerAdmin, session, workspaceId })
    const scope = await readScope()
    if (session === undefined || scope === undefined) return new Response(null, { status: 403 })
    if (c.req.method === 'HEAD') return new Response(null, { headers })
    const free = app.places.take([
      { owner: 'live', most: maxTotal },
      { owner: `live workspace ${workspaceId}`, most: maxPerWorkspace },
      { owner: `live person ${scope.personId}`, most: maxPerPerson },
      { owner: `live session ${session}`, most: maxPerSession },
    ])
    // 204 tells the browser not to reconnect. The page works without live updates, and tries again later.
    if (free === undefined) return new Response(null, { status: 204 })
    // A reconnecting browser sends its last event id. Its URL still has the position from the page load.
    const since = c.req.header('last-event-id') ?? c.req.query('since')
    const source: LiveSource = {
      follow(notify, end) {
        const changed: Follower['changed'] = (tables, position) =>
          notify(toNotice({ tables, position, personId: scope.personId }))
        return app.changes.follow({ ...scope, since }, { changed, ended: end })
      },
      // The database stays open until the check has ended.
      hasAccess: async () =>
        !app.lifecycle.isDraining() && (await app.lifecycle.during(readScope()))?.isInstance === scope.isInstance,
      onEnd: free,
    }
    try {
      return liveAnswer(app, c.req.raw.signal, source)
    } catch (fault) {
      free()
      throw fault
    }
  })
}

interface LiveRequest {
  readonly answerAdmin: AnswerAdmin
  readonly session: string
  readonly workspaceId: number
}

/** The changes that the reader may see; undefined without access to the workspace. Throws if the server cannot tell. */
async function findScope(
  c: Context,
  { answerAdmin, session, workspaceId }: LiveRequest,
): Promise<(ChangeScope & { readonly personId: number }) | undefined> {
  const page = createPageAdmin(c, answerAdmin, session)
  const [workspace, account] = await Promise.all([
    page.admin.workspaces.get({ workspace: workspaceId }).safe(),
    page.admin.account.get().safe(),
  ])
  for (const { ok, error } of [workspace, account])
    if (!ok && (error.status ?? 500) >= 500) throw toUnavailable(page, error)
  return workspace.ok && account.ok
    ? { workspaceId, isInstance: account.data.is_instance_admin, personId: account.data.id }
    : undefined
}

interface LiveSource {
  follow(notify: (notice: Notice) => void, end: () => void): () => void
  /** Checked when rights change, and on every heartbeat, because sessions expire. */
  hasAccess(): Promise<boolean>
  onEnd(): void
}

interface Notice {
  readonly topics: readonly string[]
  readonly position: string
  /** Whether the reader may have lost access with these changes. */
  readonly mayEnd: boolean
}

interface ChangeFor {
  readonly tables: readonly string[]
  readonly position: string
  readonly personId: number
}

const toNotice = ({ tables, position, personId }: ChangeFor): Notice => ({
  topics: [...topicsOf(tables), ...editingTopics(tables, personId)],
  position,
  mayEnd: tables.length === 0 || tables.includes('rights'),
})

/** Rights may change often, and each open page reads its own again. */
const minBetweenChecksMs = 1000

/** The limit for unread data beyond the connection's buffer. A slower page is disconnected and reconnects by itself. */
const maxUnreadBytes = 4 * 1024

/** Ends when the reader disconnects, stops reading, or loses access, or when the server stops. */
function liveAnswer(app: App, signal: AbortSignal, { follow, hasAccess, onEnd }: LiveSource): Response {
  const encoder = new TextEncoder()
  let end: () => void = () => undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let cancelHeartbeat: () => void = () => undefined
        let ended = false
        const stops: (() => void)[] = []
        end = () => {
          if (ended) return
          ended = true
          cancelHeartbeat()
          for (const stop of stops) stop()
          onEnd()
          try {
            controller.close()
          } catch {
            // The reader has already disconnected.
          }
        }
        const send = (text: string) => {
          if (ended) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) <= 0) end()
        }
        const tick = () => void heartbeat()
        const scheduleHeartbeat = () => {
          cancelHeartbeat = app.clock.after?.(heartbeatMs, tick) ?? after(heartbeatMs, tick)
        }
        const endWithoutAccess = async () => {
          if (!(await hasAccess().catch(() => false))) end()
        }
        const heartbeat = async () => {
          await endWithoutAccess()
          // An event, although an empty one: scripts cannot see comments, and notice by it that the server is alive.
          send('data:\n\n')
          if (!ended) scheduleHeartbeat()
        }
        const check = checkAgain(app, endWithoutAccess)
        if (signal.aborted) return end()
        signal.addEventListener('abort', () => end())
        send(`retry: ${reconnectMs}\n${padding}`)
        // What follows a loss of access is not sent: it waits for the check.
        const notify = ({ topics, position, mayEnd }: Notice) => {
          const running = mayEnd ? check.start() : check.running()
          const tell = () => {
            if (topics.length > 0) send(`id: ${position}\nevent: changed\ndata: ${topics.join(' ')}\n\n`)
          }
          if (running === undefined) tell()
          else void running.then(tell)
        }
        const untilEnd = (stop: () => void) => (ended ? stop() : void stops.push(stop))
        untilEnd(app.lifecycle.onDrain(end))
        untilEnd(follow(notify, end))
        if (!ended) scheduleHeartbeat()
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxUnreadBytes }),
  )
  return new Response(body, { headers })
}

/** Repeats a check when asked, at most once a second. A request during a check leads to another one. */
function checkAgain({ clock }: Pick<App, 'clock'>, check: () => Promise<void>) {
  let running: Promise<void> | undefined
  let wanted = false
  let lastMs = Number.NEGATIVE_INFINITY
  const repeat = async () => {
    while (wanted) {
      const waitMs = lastMs + minBetweenChecksMs - clock.elapsedMs()
      if (waitMs > 0)
        await new Promise<void>((resolve) => void (clock.after?.(waitMs, resolve) ?? after(waitMs, resolve)))
      wanted = false
      lastMs = clock.elapsedMs()
      await check()
    }
    running = undefined
  }
  return {
    running: () => running,
    start() {
      wanted = true
      running ??= repeat()
      return running
    },
  }
}

/** Topics shown by pages, with the tables behind each. Pages mark their parts with these names. */
export const topicTables = {
  tickets: ['tickets', 'sla_policies'],
  history: ['ticket_history'],
  tasks: ['tasks'],
  projects: ['projects'],
  messages: ['channels', 'messages', 'mentions'],
  views: ['shared_views'],
  members: ['members', 'member_names', 'users', 'workspaces'],
  tokens: ['api_tokens', 'personal_tokens'],
  employees: ['employees', 'devices'],
  punches: ['punches', 'attendance_sessions', 'unmatched_punches'],
  deals: ['deals', 'accounts'],
  leads: ['leads', 'lead_enquiries', 'lead_sources'],
  activity: ['activities', 'git_issue_tickets'],
  errors: ['error_groups', 'error_group_days', 'error_samples'],
  webhooks: ['subscriptions', 'subscription_events'],
  deliveries: ['deliveries', 'delivery_attempts', 'delivery_jobs', 'unrouted_events'],
  inbound: ['inbound_deliveries', 'git_deliveries'],
  integrations: ['integrations'],
  automation: ['automation_rules', 'automation_runs', 'sla_policies'],
  audit: ['audit_log'],
} as const satisfies Record<string, readonly (keyof Database)[]>

const topicsByTable = new Map<string, readonly string[]>()
for (const [topic, tables] of Object.entries(topicTables))
  for (const table of tables) topicsByTable.set(table, [...(topicsByTable.get(table) ?? []), topic])

/** The topics of changed tables. An empty list means any table, and so all topics. */
function topicsOf(tables: readonly string[]): string[] {
  if (tables.length === 0) return Object.keys(topicTables)
  return [
    ...new Set(
      tables.flatMap((change) => {
        const [table = ''] = change.split(':')
        return (topicsByTable.get(table) ?? []).map((topic) => (topic === table ? change : topic))
      }),
    ),
  ]
}

/** A topic for each ticket that someone else has begun to edit, or left. */
const editingTopics = (tables: readonly string[], personId: number) =>
  tables.flatMap((change) => {
    const [, ticketId, editorId] = /^editing:(\d+):(\d+)$/.exec(change) ?? []
    return ticketId === undefined || Number(editorId) === personId ? [] : [`editing-${ticketId}`]
  })
