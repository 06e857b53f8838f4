/** The most bytes of a text or a list that an expression builds, and of its result. */
export const maxResultBytes = 64 * 1024

/**
 * The most steps that the expressions of a mapping take for one body, less than a tenth of a second. A step is a part of an
 * expression, an entry of a list or an object, or 64 bytes of a text. They are counted instead of measured, so that the
 * same body always has the same result.
 */
export const maxSteps = 500_000

/** The steps that remain. */
export interface Budget {
  steps: number
}

/** An expression fails, or exceeds its limits. */
export class NoResult extends Error {
  override readonly name = 'NoResult'
}

export const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps
  if (budget.steps < 0) throw new NoResult()
}

const bytesPerStep = 64

/** The bytes of a text. Reading it costs steps. */
export const weigh = (text: string, budget: Budget): number => {
  spend(budget, Math.ceil(text.length / bytesPerStep))
  return Buffer.byteLength(text)
}

export const requireSize = (bytes: number): void => {
  if (bytes > maxResultBytes) throw new NoResult()
}

const bytesPerEntry = 8

/** The parts of a body that a list refers to are not copied, so an entry counts its reference, and its text. */
export const startList = (budget: Budget) => {
  const list: unknown[] = []
  let bytes = 0
  const add = (value: unknown): void => {
    spend(budget, 1)
    bytes += bytesPerEntry + (typeof value === 'string' ? weigh(value, budget) : 0)
    requireSize(bytes)
    list.push(value)
  }
  return { list, add }
}
