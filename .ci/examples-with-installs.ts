import type { Row } from './matrix-row.ts'
export const ownInstalls: readonly Row[] = []
