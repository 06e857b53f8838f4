/**
 * The name of an object that has no readable fields, such as `Promise` or `Map`. Undefined for all other values. Compares
 * no prototypes, because Jest's tests have their own `Object`.
 */
export function nameOfUnreadable(value: unknown): string | undefined {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return typeof value !== 'object' || value === null || ['Object', 'Array'].includes(tag) ? undefined : tag
}
