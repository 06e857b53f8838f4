import type { Faults } from '../faults/faults.ts'

/** Faults that were added and have not struck, in words. */
export const unusedFaults = (faults: Faults): string[] =>
  faults
    .list()
    .filter(({ hits }) => hits === 0)
    .map(({ name }) => name)
