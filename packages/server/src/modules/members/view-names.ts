import { conflict } from '../../core/errors.ts'

interface NamedView {
  readonly list: string
  readonly name: string
}

/** Names that look alike are one name. Upper case first, because that of `ß` is `SS`. */
const keyOf = (name: string) => name.normalize('NFKC').trim().toUpperCase().toLowerCase().normalize('NFKC')

/** Refuses a name that another view of the list has. */
export function requireFreeName({ list, name }: NamedView, others: readonly NamedView[], kind: string): void {
  const other = others.find((one) => one.list === list && keyOf(one.name) === keyOf(name))
  if (other !== undefined)
    throw conflict(`The ${kind} “${other.name}” has this name already; case makes no difference. Choose another name.`)
}
