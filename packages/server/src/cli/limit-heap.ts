import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const halfOfYoungMb = 8
const mostYoungBytes = 2 * halfOfYoungMb * 2 ** 20

/** Who has set the young generation on the command line knows what for. Bun has another engine. */
const isLeftToUs = () =>
  process.versions['bun'] === undefined &&
  ![process.env['NODE_OPTIONS'] ?? '', ...process.execArgv].some((text) => text.includes('semi-space'))

/**
 * Keeps the memory of a busy process at half of what V8 would take, where hardly anything outlives its request
 * (docs/decisions/009-a-small-heap.md). Done while the process runs, because no flag for `node` reaches every way in which
 * a program of a package is started.
 */
export function limitHeap(): void {
  if (!isLeftToUs()) return
  // The old generation is collected when it has grown by a quarter of what lives, and not to several times as much.
  setFlagsFromString('--heap-growing-percent=25')
  // Threads read this when they start, and need not grow then. The factor below is theirs, too.
  setFlagsFromString(`--min-semi-space-size=${halfOfYoungMb}`)
  let mayGrow = true
  const observer = new PerformanceObserver(() => {
    const hasRoom = youngBytes() < mostYoungBytes
    if (hasRoom === mayGrow) return
    // An idle process gives memory back, and must be able to grow again.
    mayGrow = hasRoom
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  })
  observer.observe({ entryTypes: ['gc'] })
}

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
