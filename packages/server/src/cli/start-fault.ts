import { ConfigError } from '../core/config.ts'
import { messageWithCause } from '../store/postgres-faults.ts'

/** What prevents a start or a stop, with the remedy. */
export function describeStartFault(fault: unknown): string {
  if (fault instanceof ConfigError)
    return `The configuration has ${fault.problems.length === 1 ? 'a problem' : `${fault.problems.length} problems`}:\n${fault.problems.map((problem) => `  - ${problem}`).join('\n')}`
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && fault.code === 'EADDRINUSE')
    return 'The port is in use. Choose another with --port, or --port 0 for a free one.'
  return messageWithCause(fault) || String(fault)
}
