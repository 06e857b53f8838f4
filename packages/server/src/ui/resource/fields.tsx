import type { Child } from 'hono/jsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { namedOptions, type Option, wordOptions } from '../components/form.tsx'
import { Person } from '../components/person.tsx'
import { Day, Time } from '../components/time.tsx'
import { money as moneyText, words } from '../format.ts'
import { toNumber } from '../forms.ts'
import type { WorkspacePage } from '../page-types.ts'

interface Named {
  readonly id: number
  readonly name: string
}

/** The lists that references choose from. */
const sources = ['members', 'projects', 'accounts'] as const
type Source = (typeof sources)[number]
export type Names = Readonly<Partial<Record<Source, readonly Named[]>>>

/** What surrounds a value that is shown. */
export interface Around<Row = unknown> {
  readonly page: WorkspacePage
  readonly names: Names
  readonly row: Row
}

export interface Field<Value, Row = unknown> {
  readonly label: string
  /** What a table calls it, where that is shorter. */
  readonly column?: string
  /** Whether that needs not be seen. */
  readonly isHidden?: boolean
  /** Classes of its cells. */
  readonly look?: string
  show(value: Value, around: Around<Row>): Child
  /** On the page of a record, where a cell is shorter. */
  fact?(value: Value, around: Around<Row>): Child
  /** In a form; a field without a control is only shown. */
  readonly control?: 'text' | 'email' | 'date' | 'prose' | 'select'
  readonly narrow?: boolean
  readonly hint?: string | ((page: WorkspacePage) => string)
  options?(names: Names): readonly Option[]
  readonly source?: Source
  /** What choosing nothing is called. */
  readonly none?: string
  /** From the text of a form or an address, which is the value by default. */
  read?(text: string): unknown
  toText?(value: Value): string
}

type Options<Value, Row = unknown> = Partial<Omit<Field<Value, Row>, 'label'>>

export const text = (label: string, options: Options<string | null> = {}): Field<string | null> => ({
  label,
  look: 'quiet',
  control: 'text',
  show: (value) => value ?? '–',
  ...options,
})

/** One of the contract's values; `tones` makes a badge of it. */
export const choice = <Value extends string | null>(
  label: string,
  values: readonly string[],
  { tones, ...options }: Options<Value> & { readonly tones?: Readonly<Record<string, Tone>> } = {},
): Field<Value> => ({
  label,
  control: 'select',
  show: (value) => {
    if (value === null) return '–'
    return tones === undefined ? words(value) : <Badge tone={tones[value] ?? 'mute'}>{words(value)}</Badge>
  },
  options: () => wordOptions(values),
  ...options,
})

/** The id of another record. */
export const reference = (
  label: string,
  source: Source,
  options: Options<number | null> & { readonly none: string },
): Field<number | null> => ({
  label,
  look: 'quiet',
  control: 'select',
  source,
  show: (value, around) => nameOf(around, source, value) ?? '–',
  options: (names) => namedOptions(names[source] ?? []),
  read: (text) => toNumber(text) ?? null,
  ...options,
})

/** The name of the record that an id refers to. */
export const nameOf = ({ names }: Around, source: Source, wanted: number | null): string | undefined =>
  names[source]?.find(({ id }) => id === wanted)?.name

export const person = (label: string): Field<Named | null> => ({
  label,
  show: (value) => <Person name={value?.name} empty="–" />,
  fact: (value) => <Person name={value?.name} />,
})

/** A record of another kind, with a link to its page. */
export const linked = (label: string, path: string): Field<Named | null> => ({
  label,
  show: (value, { page }) =>
    value === null ? (
      '–'
    ) : (
      <a dir="auto" href={page.link(`${path}/${value.id}`)}>
        {value.name}
      </a>
    ),
})

export const day = <Row,>(label: string, options: Options<string | null, Row> = {}): Field<string | null, Row> => ({
  label,
  look: 'right meta',
  control: 'date',
  narrow: true,
  show: (value) => <Day on={value} />,
  toText: (value) => value?.slice(0, 10) ?? '',
  ...options,
})

export const moment = (label: string): Field<string> => ({
  label,
  look: 'right meta',
  show: (value) => <Time at={value} />,
  fact: (value) => <Time at={value} exact />,
})

export const money = (label: string): Field<string | null> => ({
  label,
  look: 'right',
  control: 'text',
  narrow: true,
  show: (value, { page }) => moneyText(value, page.workspace.currency),
  hint: ({ workspace: { currency } }) =>
    currency === null ? 'Such as 12,500.00.' : `In ${currency}, such as 12,500.00.`,
  // What is not a number is sent as it is: the server's answer names the field.
  read: (text) => {
    const value = Number(text.replaceAll(/[,\s]/g, ''))
    if (text === '') return null
    return Number.isNaN(value) ? text : value
  },
})

/** The lists that these fields choose from. */
export async function loadNames(page: WorkspacePage, fields: readonly Field<unknown>[]): Promise<Names> {
  const wanted = sources.filter((source) => fields.some((field) => field.source === source))
  const lists = wanted.map(async (source) => {
    const { data } = await page.admin[source].list({ workspace: page.workspace.id }, { limit: 200 })
    return [source, data]
  })
  return Object.fromEntries(await Promise.all(lists))
}
