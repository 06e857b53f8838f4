import type { Platform } from '../platform.ts'
import { alreadySentResponse, isBrokenConnection } from './faults/broken-connection.ts'
import { createFaultLayer, type FaultLayer, type FaultParts } from './faults/faults.ts'
import type { ContractViolations } from './journal/contract-violations.ts'
import { createJournalLayer, type JournalLayer, type JournalOptions, type RecordedControls } from './journal/journal.ts'
import { toObservedRequest } from './observed-request.ts'
import type { StateHistory } from './state-history.ts'

/** Handles every request of every transport: records it, applies faults, and responds. */
export interface InstrumentedFetch extends Omit<FaultLayer, 'waits' | 'handle'> {
  readonly requests: RecordedControls & Pick<JournalLayer, 'close'>
  readonly violations: ContractViolations
  handle(request: Request, env?: object): Promise<Response>
  /** Resolves when no request is running. */
  whenIdle(): Promise<void>
}

export interface InstrumentOptions extends FaultParts {
  /** False disables the journal. */
  readonly journal: JournalOptions | false
  readonly violations: ContractViolations
  readonly history: StateHistory | undefined
}

export function instrument(
  platform: Pick<Platform, 'handle' | 'app'>,
  { journal: options, violations, history, ...faultOptions }: InstrumentOptions,
): InstrumentedFetch {
  const running = new Set<Promise<unknown>>()
  const { waits, handle: handleWithFaults, ...faultLayer } = createFaultLayer(platform.app, faultOptions)
  const { coverage } = faultOptions
  const { clock } = platform.app
  const { record, ...requests } = createJournalLayer({ clock, options, violations, history, coverage })
  return {
    ...faultLayer,
    requests,
    violations,
    handle(request, env) {
      const observed = toObservedRequest(request, env)
      const response = record(observed, () => handleWithFaults(observed, async () => platform.handle(request, env)))
      running.add(response)
      const tracked = response.finally(() => running.delete(response))
      return env === undefined ? tracked : tracked.catch(afterFault)
    },
    async whenIdle() {
      // A request delayed by a fault does not count, because it may wait forever.
      while (running.size > waits.count) {
        const pending = waits.count === 0 ? [Promise.allSettled(running)] : running
        await Promise.race([...pending, waits.nextWait()]).catch(() => undefined)
      }
    },
  }
}

/** On a port, the fault has already broken the socket, so nothing is left to send. */
function afterFault(thrown: unknown): Response {
  if (isBrokenConnection(thrown)) return alreadySentResponse()
  throw thrown
}
