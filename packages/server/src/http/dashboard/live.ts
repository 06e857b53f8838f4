import type { Hono } from 'hono'
import { after } from '../../core/clock.ts'
import type { App } from '../../core/context.ts'
import { type AnswerAdmin, adminOf } from './admin-of.ts'
import { readCookies } from './cookies.ts'
import { placeOf } from './place.ts'
import { topicsOf } from './topics.ts'

// Tells open pages that something has changed, so that they ask again what they show. No data goes this way: who may see
// what is decided when the page asks.

const heartbeatMs = 15_000
const reconnectMs = 2000
/** Proxies that gather an answer before they pass it on are filled up at once. */
const padding = `:${' '.repeat(2048)}\n\n`
const mostPerSession = 8
const mostAtAll = 200

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** `GET /w/{workspace}/live`: server-sent events that name topics. */
export function mountLive(hono: Hono, app: App, answerAdmin: AnswerAdmin): void {
  const open = new Map<string, number>()
  let all = 0
  hono.get('/w/:workspace{[0-9]{1,15}}/live', async (c) => {
    const workspace = Number(c.req.param('workspace'))
    const { session } = readCookies(c.req.raw.headers.get('cookie'), placeOf(c, app.config))
    const maySee = async () =>
      session !== undefined && (await adminOf(c, answerAdmin, session).admin.workspaces.get({ workspace }).safe()).ok
    if (session === undefined || !(await maySee())) return new Response(null, { status: 403 })
    const mine = open.get(session) ?? 0
    // 204 tells the browser not to come again; the page works without.
    if (mine >= mostPerSession || all >= mostAtAll) return new Response(null, { status: 204 })
    open.set(session, mine + 1)
    all += 1
    const body = stream(app, c.req.raw.signal, {
      maySee,
      onEnd() {
        all -= 1
        const left = (open.get(session) ?? 1) - 1
        if (left === 0) open.delete(session)
        else open.set(session, left)
      },
    })
    return new Response(body, { headers })
  })
}

interface Listener {
  /** Asked again at each beat, since a session ends and a membership is taken away. */
  maySee(): Promise<boolean>
  onEnd(): void
}

/** What may lie unread here, behind what the connection holds: a page that reads so little comes again by itself. */
const mostUnreadBytes = 4 * 1024

/** Lives until the reader goes away, reads no more or may no longer see the workspace, or the server stops. */
function stream(app: App, signal: AbortSignal, { maySee, onEnd }: Listener): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let end: () => void = () => undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string) => {
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) <= 0) end()
        }
        let callOffBeat: () => void = () => undefined
        let ended = false
        const waitForBeat = () => {
          callOffBeat = after(heartbeatMs, () => void beat())
        }
        const beat = async () => {
          const stays = await maySee().catch(() => false)
          if (ended) return
          if (!stays) return end()
          send(':\n\n')
          if (!ended) waitForBeat()
        }
        const stops = [
          app.changes.onChange((tables) => {
            const topics = topicsOf(tables)
            if (topics.length > 0) send(`event: changed\ndata: ${topics.join(' ')}\n\n`)
          }),
          app.lifecycle.onDrain(() => end()),
        ]
        end = () => {
          if (ended) return
          ended = true
          callOffBeat()
          for (const stop of stops) stop()
          onEnd()
          try {
            controller.close()
          } catch {
            // The reader has gone before.
          }
        }
        if (signal.aborted) return end()
        signal.addEventListener('abort', () => end())
        send(`retry: ${reconnectMs}\n${padding}`)
        waitForBeat()
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnreadBytes }),
  )
}
