import autocannon from 'autocannon'
import type { Sample } from './measure.ts'
import { cpuMicros, type RunningServer, rssMegabytes } from './processes.ts'

export interface Load {
  readonly clients: number
  readonly seconds: number
  readonly requests: autocannon.Request[]
}

const warmUpSeconds = 1

/** Sends the requests in turn over keep-alive connections. Anything but a 2xx fails the benchmark. */
export async function load({ origin, pid }: RunningServer, { clients, seconds, requests }: Load): Promise<Sample> {
  const fire = async (duration: number) => {
    const result = await autocannon({ url: origin, connections: clients, duration, requests })
    const { non2xx, errors, timeouts } = result
    if (non2xx + errors + timeouts > 0)
      throw new Error(`${non2xx} answers of ${origin} were not 2xx, ${errors} requests failed, ${timeouts} timed out.`)
    return result
  }
  await fire(warmUpSeconds)
  const before = cpuMicros(pid)
  const { '2xx': count, duration } = await fire(seconds)
  const used = cpuMicros(pid) - before
  return {
    'CPU µs/request': used / count,
    'requests/s': count / duration,
    'RSS MB': rssMegabytes(pid),
  }
}
