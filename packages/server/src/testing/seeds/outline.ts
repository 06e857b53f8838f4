import type { FieldProblem } from '../factories/fields.ts'
import type { Kind } from '../factories/kinds.ts'
import { sections } from './seed.ts'
import type { Path } from './source.ts'

/** One thing of a seed, and where it stands. */
export interface Item {
  readonly kind: Kind
  /** The place of its workspace in the seed. */
  readonly index: number
  readonly path: Path
  readonly key: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** The things of a seed in the order in which they are to be made. */
export interface Outline {
  readonly items: readonly Item[]
  readonly problems: readonly FieldProblem[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Takes a seed apart: kind after kind over all workspaces, so that whatever is referred to is there; within a kind what has
 * a pinned id first, in the order of ids, because ids only go up.
 */
export function outlineOf(data: unknown): Outline {
  const problems: FieldProblem[] = []
  const listOf = (value: unknown, path: Path): readonly (readonly [Path, Fields])[] => {
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) problems.push({ path, sentence: `${String(path.at(-1) ?? 'The seed')} must be a list.` })
    return (Array.isArray(value) ? value : []).flatMap((each: unknown, index) => {
      const place = [...path, index]
      if (isFields(each)) return [[place, each] as const]
      problems.push({ path: place, sentence: 'This must have fields.' })
      return []
    })
  }
  if (!isFields(data))
    return { items: [], problems: [{ path: [], sentence: 'A seed must be an object with `workspaces`.' }] }
  for (const key of Object.keys(data).filter((each) => each !== 'workspaces')) {
    problems.push({ path: [key], sentence: `There is no field ${key} here; a seed has \`workspaces\`.` })
  }
  const workspaces = listOf(data['workspaces'], ['workspaces'])
  const own = workspaces.map(([path, fields], index) =>
    toItem('workspace', { index, path, fields: withoutSections(fields) }),
  )
  const within = Object.entries(sections).flatMap(([section, kind]) =>
    inOrderOfIds(
      workspaces.flatMap(([path, fields], index) =>
        listOf(fields[section], [...path, section]).map(([at, each]) =>
          toItem(kind, { index, path: at, fields: each }),
        ),
      ),
    ),
  )
  return { items: [...inOrderOfIds(own), ...within], problems }
}

function toItem(kind: Kind, { index, path, fields }: { index: number; path: Path; fields: Fields }): Item {
  const { key, ...others } = fields
  return { kind, index, path, fields: others, key: key === undefined ? undefined : String(key) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutSections = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(sections, name)))

function inOrderOfIds(items: readonly Item[]): Item[] {
  const idOf = ({ fields }: Item) => (typeof fields['id'] === 'number' ? fields['id'] : Number.POSITIVE_INFINITY)
  // Infinity minus infinity is no number, and so no order: the sort keeps what is equal as it was.
  return items.toSorted((a, b) => (idOf(a) === idOf(b) ? 0 : idOf(a) - idOf(b)))
}
