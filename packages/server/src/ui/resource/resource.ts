import type { Admin, Call, Page } from '@service/client/admin'
import type { Child } from 'hono/jsx'
import { words } from '../format.ts'
import type { IconName } from '../icon-names.ts'
import type { PageResult, WorkspacePage } from '../page-types.ts'
import type { Around, Field } from './fields.tsx'

// One description per kind of record. The files beside this one make its list, board, detail page, and forms from it.

export interface Resource<Row, Detail, Name extends string> {
  /** In the singular, e.g. `deal`. The plural is the topic whose changes its pages show, and its address. */
  readonly noun: string
  /** The page above the list, whose address its own begins with. */
  readonly parent?: { readonly label: string; readonly path: string }
  readonly icon: IconName
  /** What an empty list says. */
  readonly about: string
  /** The role for creating, changing, and deleting. */
  readonly role: 'member' | 'admin'
  api(admin: Admin): ResourceApi<Row, Detail>
  /** What pages and messages call a record. */
  title(record: Detail): string
  /** In the order of the forms: a form has the fields that its schema in the contract names. */
  readonly fields: { readonly [Key in Name]: Key extends keyof Detail ? Field<Detail[Key], Detail> : Field<never> }
  readonly list: ListOf<Row, NoInfer<Name>>
  readonly board?: BoardOf<Row, NoInfer<Name>>
  /** Left out where the page of a record is written by hand. */
  detail?(page: WorkspacePage, record: Detail): DetailOf<NoInfer<Name>> | Promise<DetailOf<NoInfer<Name>>>
  readonly form: FormOf<Detail>
  /** Where records can be deleted: what is deleted, unless it is the record itself, and what happens then. */
  readonly deletes?: { readonly of?: string; readonly effect?: string }
}

interface ListOf<Row, Name> {
  /** The column that links to the record. */
  readonly link: Name
  readonly columns: readonly Name[]
  /** The columns besides the link that fit on a phone. */
  readonly onPhones: readonly Name[]
  /** Where there is a board, they apply to it too, and its own field filters the list. */
  readonly filters?: readonly Name[]
  /** The label of the search field. */
  readonly search?: string
  readonly searchHint?: string
  /** Before the link. */
  mark?(row: Row): Child
  /** After the link. */
  beside?(row: Row): Child
  /** Below the link on phones, which have fewer columns. */
  second?(row: Row, around: Around): Child
  /** Whether links open the record beside the list; they do by default. */
  readonly drawer?: boolean
  /** In place of the heading. */
  heading?(page: WorkspacePage): Child | Promise<Child>
  /** In an empty list, in place of a link to the form. */
  start?(page: WorkspacePage): Child
  readonly live?: string
}

export interface BoardOf<Row, Name> {
  /** The field whose values are the columns. */
  readonly by: Name
  readonly values: readonly string[]
  /** How many of the last columns share the width of one. */
  readonly stacked: number
  /** The words between the title and the new value: `is in` for `Storage is in proposal`. */
  readonly verb: string
  mark?(value: string): Child
  /** Below the title of a card. */
  card(row: Row, around: Around): Child
  /** Beside the title of a column, about its cards. */
  aside?(rows: readonly Row[], page: WorkspacePage): string
  /** In the toolbar, about all cards. */
  summary?(rows: readonly Row[], page: WorkspacePage): string
}

export interface DetailOf<Name extends string> {
  /** A name with `?` in front leaves out an empty value. */
  readonly facts: readonly (Name | `?${Name}` | readonly [name: string, value: Child] | false)[]
  /** The field beside the title. */
  readonly badge?: Name
  readonly summary?: string
  /** Whether this record cannot be deleted although others can. */
  readonly isKept?: boolean
  /** After the buttons that every record has. */
  readonly actions?: Child
  /** A long text, under its label. */
  readonly prose?: Name
  readonly below?: Child
  readonly live?: string
}

interface FormOf<Detail> {
  readonly create?: InputSchema
  readonly change: InputSchema
  /** What a new form starts with. */
  initial?(page: WorkspacePage): Readonly<Record<string, unknown>>
  readonly verb?: 'Edit' | 'Rename'
  /** `Edit task` by default. */
  heading?(record: Detail): string
  /** A sentence below the heading of a new form. */
  readonly intro?: string
  /** What a message says of a new record, `is created` by default; or what is shown in place of its page. */
  readonly created?: string | ((page: WorkspacePage, created: never) => PageResult)
}

/** A schema of the contract. */
export interface InputSchema {
  readonly shape: Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>>
}

/** The methods of administration that the pages call. */
interface ResourceApi<Row, Detail> {
  list(at: { readonly workspace: number }, query: Record<string, unknown>): Call<Page<Row>>
  get(at: { readonly id: number }): Call<Detail>
  create?(
    at: { readonly workspace: number },
    input: Record<string, unknown>,
    options: object,
  ): Call<{ readonly id: number }>
  update(at: { readonly id: number }, patch: Record<string, unknown>, options: object): Call<{ readonly id: number }>
  delete?(at: { readonly id: number }): Call<unknown>
}

/** A record as the interpreter sees it: fields by name. */
export type AnyRecord = { readonly id: number } & Readonly<Record<string, unknown>>

/** A description as the interpreter sees it. */
export type Described = Omit<Resource<AnyRecord, AnyRecord, string>, 'fields'> & {
  readonly fields: Readonly<Record<string, Field<unknown>>>
}

/** The compiler checks the names in the description against its fields, and the fields against the contract's types. */
export const defineResource =
  <Row, Detail>() =>
  <Name extends string>(resource: Resource<Row, Detail, Name>): Described =>
    resource as never // from here on fields are read by name, which the types above have checked

export const pathOf = ({ noun, parent }: Described): string => `${parent?.path ?? ''}/${noun}s`

/** The list, and what is above it. */
export const crumbsOf = (resource: Described, page: WorkspacePage) =>
  [
    ...(resource.parent === undefined ? [] : [resource.parent]),
    { label: words(`${resource.noun}s`), path: pathOf(resource) },
  ].map(({ label, path }) => ({ label, href: page.link(path) }))

export function fieldOf({ fields, noun }: Described, name: string): Field<unknown> {
  const field = fields[name]
  if (field === undefined) throw new TypeError(`Describe the field ${name} of a ${noun}.`)
  return field
}
