import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { end, launch } from '../processes/pinned.ts'

export type SinkQuestion = 'count' | 'arrivals'

/** Crosses a process boundary, so it is plain data. */
export interface SinkAnswer {
  readonly port?: number
  readonly received?: number
  readonly atMicros?: number
  readonly arrivals?: readonly (readonly [title: string, atMicros: number])[]
}

/** The receiver of `sink.ts`, seen from the bench. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** How many requests a second come during that time. */
  rate(seconds: number): Promise<Rate>
  /** When which title came, in microseconds of the machine, since the last time of asking. */
  arrivals(): Promise<NonNullable<SinkAnswer['arrivals']>>
}

export interface Rate {
  readonly perSecond: number
  readonly count: number
}

export async function startReceiver(): Promise<Receiver> {
  const args = [fileURLToPath(new URL('./sink.ts', import.meta.url))]
  const child = launch({ role: 'load', args, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const answer = async () => (await once(child, 'message'))[0] as SinkAnswer // sink.ts sends nothing else
  const ask = (question: SinkQuestion) => {
    const answered = answer()
    child.send(question)
    return answered
  }
  const { port } = await answer()
  return {
    url: `http://127.0.0.1:${port}`,
    async rate(seconds) {
      const from = await ask('count')
      await sleep(seconds * 1000)
      const to = await ask('count')
      const count = (to.received ?? 0) - (from.received ?? 0)
      return { count, perSecond: (count * 1e6) / ((to.atMicros ?? 0) - (from.atMicros ?? 0)) }
    },
    arrivals: async () => (await ask('arrivals')).arrivals ?? [],
    [Symbol.asyncDispose]: () => end(child),
  }
}
