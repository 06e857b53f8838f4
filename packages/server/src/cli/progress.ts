/** Shows how far long work is. */
export interface Progress {
  /** From 0 to 1. */
  report(done: number): void
  end(): void
}

/** A bar on a terminal, else a line for each tenth. Both go to stderr: stdout is for the result. */
export async function showProgress(what: string): Promise<Progress> {
  if (!process.stderr.isTTY) return tenths(what)
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({ format: `${what} [{bar}] {percentage}%`, stream: process.stderr, hideCursor: true })
  bar.start(100, 0)
  return { report: (done) => bar.update(Math.floor(done * 100)), end: () => bar.stop() }
}

function tenths(what: string): Progress {
  let shown = 0
  return {
    report(done) {
      const tenth = Math.floor(done * 10)
      if (tenth <= shown) return
      shown = tenth
      process.stderr.write(`${what}: ${tenth * 10} %\n`)
    },
    end: () => undefined,
  }
}
