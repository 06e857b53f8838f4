import type { Child } from 'hono/jsx'
import { Badge, type Tone } from '../components/badge.tsx'
import { namedOptions, type Option, wordOptions } from '../components/form.tsx'
import { Person } from '../components/person.tsx'
import { Day, Time } from '../components/time.tsx'
import { findEntry, money as moneyText, words } from '../format.ts'
import { toNumber } from '../forms.ts'
import type { WorkspacePage } from '../page-types.ts'

export interface Named {
  readonly id: number
  readonly name: string
}

/** The record lists that references choose from. */
const sources = ['members', 'projects', 'accounts'] as const
export type Source = (typeof sources)[number]
export type Names = Readonly<Partial<Record<Source, readonly Named[]>>>

/** The context of a displayed value. */
export interface RenderContext<Row = unknown> {
  readonly page: WorkspacePage
  readonly names: Names
  readonly row: Row
}

export interface Field<Value, Row = unknown> {
  readonly label: string
  /** A shorter label for the table column. */
  readonly column?: string
  /** Whether the column label is only for screen readers. */
  readonly isHidden?: boolean
  /** CSS classes of its cells. */
  readonly classes?: string
  show(value: Value, context: RenderContext<Row>): Child
  /** The value in a CSV file, if it is part of another field of the row. */
  ofRow?(row: Row): unknown
  /** The value on the record's page, if cells use a shorter form. */
  fact?(value: Value, context: RenderContext<Row>): Child
  /** The form control. A field without one is read-only. */
  readonly control?: 'text' | 'email' | 'date' | 'prose' | 'select'
  readonly narrow?: boolean
  readonly hint?: string | ((page: WorkspacePage) => string)
  options?(names: Names): readonly Option[]
  /** Values that a text control offers besides accepting others. */
  suggestions?(page: WorkspacePage): Promise<readonly string[]>
  /** Filter values besides the options. */
  readonly filterOptions?: readonly Option[]
  /** Whether it comes from the contract alone, without a description. */
  readonly isDerived?: boolean
  readonly source?: Source
  /** The field with the id of the record that it shows. */
  readonly idField?: string
  /** The label of the empty option. */
  readonly none?: string
  /** Parses the text of a form or URL; defaults to the text itself. */
  read?(text: string): unknown
  toText?(value: Value): string
}

type Options<Value, Row = unknown> = Partial<Omit<Field<Value, Row>, 'label'>>

export const text = <Row,>(label: string, options: Options<string | null, Row> = {}): Field<string | null, Row> => ({
  label,
  classes: 'quiet',
  control: 'text',
  show: (value) => value ?? '–',
  ...options,
})

type ChoiceOptions<Value, Row> = Options<Value, Row> & { readonly tones?: Readonly<Record<string, Tone>> }

/** Without an empty option, a form would send the first choice where a value can be null. */
type ChoiceArguments<Value, Row> = null extends Value
  ? [options: ChoiceOptions<Value, Row> & { readonly none: string }]
  : [options?: ChoiceOptions<Value, Row>]

/** A closed list of the contract's values. `tones` renders it as a badge. */
export const choice = <Value extends string | null, Row = unknown>(
  label: string,
  values: readonly string[],
  ...[{ tones, ...options } = {} as ChoiceOptions<Value, Row>]: ChoiceArguments<Value, Row>
): Field<Value, Row> => ({
  label,
  control: 'select',
  show: (value) => {
    if (value === null) return '–'
    return tones === undefined ? words(value) : <Badge tone={findEntry(tones, value) ?? 'mute'}>{words(value)}</Badge>
  },
  options: () => wordOptions(values),
  ...options,
})

/** The id of another record. The filter `none` matches records without one. */
export const reference = (
  label: string,
  source: Source,
  options: Options<number | null> & { readonly none: string },
): Field<number | null> => ({
  label,
  classes: 'quiet',
  control: 'select',
  source,
  show: (value, context) => nameOf(context, source, value) ?? '–',
  options: (names) => offeredOptions(names[source] ?? []),
  // Other text is sent unchanged, so that the API reports the field.
  read: (text) => (text === '' ? null : (toNumber(text) ?? text)),
  ...options,
})

const formerMember = 'Former member'

/** The name of a person who is not a member. Administrators of the instance need not be, and are named as such. */
export const formerName = (name: string | undefined): string =>
  name === undefined || name.endsWith('(instance)') ? (name ?? formerMember) : `${name} (former)`

/** Selects offer at most this many records. */
export const maxNames = 1000

export function offeredOptions(records: readonly Named[]): Option[] {
  const options = namedOptions(records)
  if (records.length < maxNames) return options
  return [...options, { value: '-', label: `Only the newest ${maxNames} are listed`, isDisabled: true }]
}

/** The name of a referenced record. */
export const nameOf = ({ names }: RenderContext, source: Source, id: number | null): string | undefined =>
  names[source]?.find((record) => record.id === id)?.name

export const person = (label: string, idField: string): Field<Named | null> => ({
  label,
  idField,
  show: (value) => <Person name={value?.name} empty="–" />,
  fact: (value) => <Person name={value?.name} />,
})

interface Link {
  readonly path: string
  readonly idField: string
}

/** A linked record of another kind. */
export const linked = (label: string, { path, idField }: Link): Field<Named | null> => ({
  label,
  idField,
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
  classes: 'right meta',
  control: 'date',
  narrow: true,
  show: (value) => <Day on={value} />,
  toText: (value) => value?.slice(0, 10) ?? '',
  ...options,
})

export const moment = (label: string): Field<string> => ({
  label,
  classes: 'right meta',
  show: (value) => <Time at={value} />,
  fact: (value) => <Time at={value} exact />,
})

export const money = (label: string): Field<string | null> => ({
  label,
  classes: 'right',
  control: 'text',
  narrow: true,
  show: (value, { page }) => moneyText(value, page.workspace.currency),
  hint: ({ workspace: { currency } }) =>
    currency === null ? 'For example 12,500.00.' : `In ${currency}, for example 12,500.00.`,
  // Other text, such as 12,50 or 12.500, is sent unchanged, so that the API reports the field.
  read: (text) => {
    if (text === '') return null
    return isAmount.test(text) ? Number(text.replaceAll(/[,\s]/g, '')) : text
  },
})

/** A number with at most two decimals, whose thousands may be separated by commas or spaces. */
const isAmount = /^-?(?:\d{1,15}|\d{1,3}(?:[,\s]\d{3}){1,4})(?:\.\d{1,2})?$/

/** The plain text of a value, for CSV. */
export function toText({ source, toText: write }: Field<unknown>, value: unknown, context: RenderContext): string {
  if (value === null || value === undefined) return ''
  if (source !== undefined) return nameOf(context, source, Number(value)) ?? String(value)
  if (Array.isArray(value)) return write?.(value) ?? value.join(', ')
  return typeof value === 'object' && 'name' in value ? String(value.name) : String(value)
}

/** The records of a workspace by name, newest first. */
export const listNames = (
  { admin, workspace }: WorkspacePage,
  source: Source | 'channels',
  limit?: number,
): Promise<readonly Named[]> => admin[source].list({ workspace: workspace.id }, { limit: 200 }).all({ limit })

/** Loads the record lists that these fields choose from. */
export async function loadNames(page: WorkspacePage, fields: readonly Field<unknown>[]): Promise<Names> {
  const wanted = sources.filter((source) => fields.some((field) => field.source === source))
  const lists = wanted.map(async (source) => [source, await listNames(page, source, maxNames)])
  return Object.fromEntries(await Promise.all(lists))
}
