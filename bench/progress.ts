/** Tells the person at the terminal how far the run is; goes to stderr, so that stdout holds only the report. */
export type Progress = (step: string) => void

export function progressOf(scenario: string, steps: number, write: (text: string) => void): Progress {
  const startedAt = performance.now()
  let done = 0
  return (step) => {
    done += 1
    const filled = Math.round((20 * done) / Math.max(done, steps))
    const bar = '█'.repeat(filled).padEnd(20, '░')
    const elapsed = `${Math.round((performance.now() - startedAt) / 1000)} s`
    write(`${scenario.padEnd(7)}${bar} ${String(done).padStart(3)}/${steps} ${elapsed.padStart(6)}  ${step}\n`)
  }
}
