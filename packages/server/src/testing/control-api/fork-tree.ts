/** Parallel test workers seldom exceed the number of processors. */
export const maxForks = 100
/** A worker that was killed leaves its fork open. */
const maxUnusedMs = 60 * 60 * 1000

/** A fork and when it was last used. */
export interface OpenFork {
  usedAtMs: number
  close(): Promise<void>
}

/** The forks that a server and its forks have opened over HTTP, which share one limit. */
export interface ForkTree {
  readonly open: Set<OpenFork>
  /** Those that are starting. */
  opening: number
}

export const createForkTree = (): ForkTree => ({ open: new Set(), opening: 0 })

export const isFull = ({ open, opening }: ForkTree): boolean => open.size + opening >= maxForks

export function closeUnused({ open }: ForkTree, nowMs: number): Promise<unknown> {
  const unused = [...open].filter(({ usedAtMs }) => nowMs - usedAtMs > maxUnusedMs)
  return Promise.allSettled(unused.map((fork) => fork.close()))
}
