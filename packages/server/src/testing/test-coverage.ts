/** What the tests of a server and of its forks have seen of faults and failures. */
export interface TestCoverage {
  /** The hits of each fault by its name. Faults with the same name count together. */
  readonly faults: Map<string, number>
  /** Whether each called operation has failed: by its status, by an error, or by a fault. */
  readonly operations: Map<string, boolean>
}

export const noCoverage = (): TestCoverage => ({ faults: new Map(), operations: new Map() })

export function countFault({ faults }: TestCoverage, name: string, hits: number): void {
  faults.set(name, (faults.get(name) ?? 0) + hits)
}

export function noteOperation({ operations }: TestCoverage, name: string, hasFailed: boolean): void {
  operations.set(name, hasFailed || operations.get(name) === true)
}

/** The gaps in a file's tests of failures, or undefined if there are none or no test has added a fault. */
export function describeGaps({ faults, operations }: TestCoverage): string | undefined {
  if (faults.size === 0) return undefined
  const unused = [...faults].filter(([, hits]) => hits === 0).map(([name]) => name)
  const unfailed = [...operations].filter(([, hasFailed]) => !hasFailed).map(([name]) => name)
  const lines = [
    ...(unused.length > 0 ? [`Faults that never applied: ${unused.join(', ')}`] : []),
    ...(unfailed.length > 0 ? [`Operations that no test saw fail: ${unfailed.toSorted().join(', ')}`] : []),
  ]
  return lines.length > 0 ? lines.join('\n') : undefined
}
