/** The types of a JSON value and of what it contains. The items of a list share one shape. */
export interface Shape {
  readonly types: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, Shape>
  /** Absent without a list, or if all lists are empty. */
  readonly items?: Shape | undefined
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

const maxDepth = 500

/** Throws a RangeError for a value that is nested more than 500 levels deep. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (depth > maxDepth) throw new RangeError(`The value is nested more than ${maxDepth} levels deep.`)
  const types = new Set([typeOf(value)])
  const inner = (child: unknown) => shapeOf(child, depth + 1)
  if (Array.isArray(value)) return { types, fields: new Map(), items: mergeAll(value.map(inner)) }
  if (typeof value !== 'object' || value === null) return { types, fields: new Map() }
  return { types, fields: new Map(Object.entries(value).map(([name, child]) => [name, inner(child)])) }
}

const mergeAll = (shapes: readonly Shape[]): Shape | undefined =>
  shapes.length === 0 ? undefined : shapes.reduce(merge)

function merge(one: Shape, other: Shape): Shape {
  const fields = new Map(one.fields)
  for (const [name, shape] of other.fields) {
    const known = fields.get(name)
    fields.set(name, known === undefined ? shape : merge(known, shape))
  }
  const items = mergeAll([one.items, other.items].filter((shape) => shape !== undefined))
  return { types: new Set([...one.types, ...other.types]), fields, items }
}

interface ShapeDifference {
  readonly path: string
  readonly recorded: string
  readonly here: string
}

const describe = (shape: Shape | undefined): string =>
  shape === undefined ? 'missing' : [...shape.types].toSorted().join(' or ')

/** Null and an empty list say nothing about the type, so they differ from nothing. */
export function findDifferences(recorded: Shape, here: Shape, path = '$'): ShapeDifference[] {
  if (!isSameType(recorded, here)) return [{ path, recorded: describe(recorded), here: describe(here) }]
  const names = [...new Set([...recorded.fields.keys(), ...here.fields.keys()])]
  const isObject = recorded.types.has('object') && here.types.has('object')
  const inFields = isObject ? names.flatMap((name) => differencesAt(name, { recorded, here, path })) : []
  const hasItems = recorded.items !== undefined && here.items !== undefined
  return [...inFields, ...(hasItems ? findDifferences(recorded.items, here.items, `${path}[]`) : [])]
}

interface Compared {
  readonly recorded: Shape
  readonly here: Shape
  readonly path: string
}

function differencesAt(name: string, { recorded, here, path }: Compared): ShapeDifference[] {
  const [theirs, ours] = [recorded.fields.get(name), here.fields.get(name)]
  const at = `${path}.${name}`
  if (theirs === undefined || ours === undefined)
    return [{ path: at, recorded: describe(theirs), here: describe(ours) }]
  return findDifferences(theirs, ours, at)
}

const isSameType = (one: Shape, other: Shape): boolean => {
  const [own, theirs] = [one, other].map(({ types }) => [...types].filter((type) => type !== 'null'))
  if (own === undefined || theirs === undefined || own.length === 0 || theirs.length === 0) return true
  return own.some((type) => theirs.includes(type))
}
