import type { App } from '../context.ts'
import { ApiError } from '../core/errors.ts'
import { nextSlice, nextTurn } from '../core/next-turn.ts'

const maxPerCaller = 1
const maxPerWorkspace = 4
const retryAfterSeconds = 10

/** Who exports: a key of the person or token, and the workspace. Undefined for an export of the whole instance. */
interface Exporter {
  readonly caller: string
  readonly workspaceId: number | undefined
}

interface Export extends Exporter {
  /** An empty one is a step without text. */
  readonly parts: AsyncIterable<string | Uint8Array>
  readonly request: Request
}

/**
 * An export: a body that is generated or read while it is sent, in steps between which other requests run. It has a place from
 * this call until it ends or the caller disconnects.
 */
export async function exportStream(
  app: App,
  { parts, request, ...exporter }: Export,
): Promise<ReadableStream<Uint8Array> | null> {
  // The response to HEAD has no body, so nothing is generated.
  if (request.method === 'HEAD') return null
  const free = takePlace(app, exporter)
  const { signal } = request
  const iterator = parts[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const end = () => {
    free()
    signal.removeEventListener('abort', end)
    void iterator.return?.().catch(() => undefined)
  }
  if (signal.aborted) end()
  else signal.addEventListener('abort', end)
  // Refused before the response begins, such as a filter that does not exist.
  let first: IteratorResult<string | Uint8Array> | undefined = await iterator.next().catch((fault: unknown) => {
    end()
    throw fault
  })
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          await nextSlice()
          let step = first ?? (await iterator.next())
          first = undefined
          while (step.done !== true && step.value === '') {
            await nextTurn()
            step = await iterator.next()
          }
          if (step.done !== true) {
            const { value } = step
            return controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
          }
          end()
          controller.close()
        } catch (fault) {
          end()
          controller.error(fault)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

function takePlace({ places }: App, { caller, workspaceId }: Exporter): () => void {
  const ofCaller = { owner: `export of ${caller}`, most: maxPerCaller }
  const ofWorkspace = { owner: `export of workspace ${workspaceId ?? 'all'}`, most: maxPerWorkspace }
  const free = places.take([ofCaller, ofWorkspace])
  if (free !== undefined) return free
  throw new ApiError(
    'rate_limited',
    `You may run ${maxPerCaller} export at a time, and a workspace ${maxPerWorkspace}. One is still running.`,
    { headers: { 'retry-after': String(retryAfterSeconds) } },
  )
}
