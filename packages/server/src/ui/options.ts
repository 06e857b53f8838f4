import type { Option } from './components/form.tsx'
import { words } from './format.ts'

/** Closed lists as the options of a field. */
export const wordOptions = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: words(value) }))

interface Named {
  readonly id: number
  readonly name: string
}

/** Things with a name as the options of a field; `empty` is what choosing none of them is called. */
export const namedOptions = (named: readonly Named[], empty?: string): Option[] => [
  ...(empty === undefined ? [] : [{ value: '', label: empty }]),
  ...named.map(({ id, name }) => ({ value: String(id), label: name })),
]

/** Names by id. */
export const namesOf = (named: readonly Named[]): ReadonlyMap<number | null, string> =>
  new Map(named.map(({ id, name }) => [id, name]))
