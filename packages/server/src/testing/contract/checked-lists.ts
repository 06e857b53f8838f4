import type * as z from 'zod/mini'

// A list that changes is mostly what it was: of what is found right again and again, only what is new is read.

interface List {
  readonly head: string
  readonly element: z.ZodMiniType
  /** What stood between the braces of objects that were right. */
  readonly right: Set<string>
  /** The objects of the last list that was right, in a row. */
  last: string
}

/** Some 4 MB at most. */
const mostTexts = 1000
const longestText = 2000

const lists = new WeakMap<z.core.$ZodType, List | undefined>()

/** Whether a text is a list, the only field of an object, all of whose objects were right before or are now. */
export function isListOfRight(
  schema: z.core.$ZodType,
  text: string,
  isRight: (element: z.ZodMiniType, text: string) => boolean,
): boolean {
  if (!lists.has(schema)) lists.set(schema, toList(schema))
  const list = lists.get(schema)
  if (list === undefined || !text.startsWith(list.head) || !text.endsWith('}]}')) return false
  const objects = text.slice(list.head.length, -'}]}'.length)
  const added = addedBefore(list.last, objects)
  // Objects that are JSON each are JSON in a row. Where this cuts through a text or an inner list, the pieces are none.
  for (const inner of added === '' ? [] : added.split(between)) {
    if (list.right.has(inner)) continue
    if (!isRight(list.element, `{${inner}}`)) return false
    remember(list.right, inner)
  }
  list.last = objects
  return true
}

const between = '},{'

/**
 * What has to be read of a row of objects. After a creation, the newest are those of the list before, without its last:
 * to compare them in one piece costs a third of looking each up.
 */
function addedBefore(last: string, objects: string): string {
  const [first = ''] = last.split(between, 1)
  const at = objects.indexOf(first)
  const rest = at === -1 ? '' : objects.slice(at)
  const isKnown = rest !== '' && last.startsWith(rest) && endsObject(last, rest.length)
  if (isKnown && at === 0) return ''
  return isKnown && objects.slice(0, at).endsWith(between) ? objects.slice(0, at - between.length) : objects
}

const endsObject = (row: string, at: number) => at === row.length || row.startsWith(between, at)

function toList(schema: z.core.$ZodType): List | undefined {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  if (def.type !== 'object') return undefined
  const [[key, field] = [], ...others] = Object.entries(def.shape)
  if (key === undefined || field === undefined || others.length > 0) return undefined
  const { def: inner } = field._zod as z.core.$ZodTypes['_zod']
  if (inner.type !== 'array' || inner.checks !== undefined) return undefined
  return { head: `{${JSON.stringify(key)}:[{`, element: inner.element as z.ZodMiniType, right: new Set(), last: '' }
}

function remember(right: Set<string>, text: string): void {
  if (text.length > longestText) return
  if (right.size >= mostTexts) right.clear()
  right.add(JSON.parse(JSON.stringify(text))) // a part of a text keeps the whole in memory
}
