/** Where a value differs from what was asked for. */
export interface FieldDifference {
  /** e.g. `status` or `body.tags[0]`. */
  readonly field: string
  readonly expected: unknown
  readonly received: unknown
}

interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
}

/**
 * Compares what was asked for with what came. Of an object only the keys that are named count, of a list all elements; an
 * expression must fit the text, and matchers such as `expect.any(String)` are asked.
 */
export function partialDifferences(expected: unknown, received: unknown, field: string): FieldDifference[] {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(received) ? [] : [{ field, expected, received }]
  if (expected instanceof RegExp) {
    return typeof received === 'string' && expected.test(received) ? [] : [{ field, expected, received }]
  }
  if (Array.isArray(expected)) return listDifferences(expected, received, field)
  if (isObject(expected)) return objectDifferences(expected, received, field)
  return Object.is(expected, received) ? [] : [{ field, expected, received }]
}

function listDifferences(expected: readonly unknown[], received: unknown, field: string): FieldDifference[] {
  if (!Array.isArray(received) || received.length !== expected.length) return [{ field, expected, received }]
  return expected.flatMap((each, index) => partialDifferences(each, received[index], `${field}[${index}]`))
}

function objectDifferences(expected: object, received: unknown, field: string): FieldDifference[] {
  if (!isObject(received) || Array.isArray(received)) return [{ field, expected, received }]
  const values = new Map<string, unknown>(Object.entries(received))
  return Object.entries(expected).flatMap(([key, each]) => partialDifferences(each, values.get(key), `${field}.${key}`))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isAsymmetric = (value: unknown): value is Asymmetric =>
  isObject(value) && 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'
