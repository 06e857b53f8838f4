import type { Admin, Call, ListCall, Page } from '@service/client/admin'
import type { Child } from 'hono/jsx'
import { words } from '../format.ts'
import type { FormState } from '../forms.ts'
import type { IconName } from '../icon-names.ts'
import type { PageResult, WorkspacePage } from '../page-types.ts'
import { day, type Field, type RenderContext, text } from './fields.tsx'

// One description per resource. The other files in this folder render its list, board, detail page, and forms.

export interface Resource<Row, Detail, Name extends string> {
  /** Singular, e.g. `deal`. The plural is its live topic and its path. */
  readonly noun: string
  /** The parent page, whose path is a prefix. */
  readonly parent?: { readonly label: string; readonly path: string }
  readonly icon: IconName
  /** The text of an empty list. */
  readonly emptyText: string
  /** The minimum role for creating, changing, and deleting. */
  readonly role: 'member' | 'admin'
  api(admin: Admin): ResourceApi<Row, Detail>
  /** The display title of a record. */
  title(record: Detail): string
  /** In form order. A form has the fields that its contract schema contains. */
  readonly fields: { readonly [Key in Name]: Key extends keyof Detail ? Field<Detail[Key], Detail> : Field<never> }
  readonly list: ResourceList<Row, NoInfer<Name>>
  readonly board?: ResourceBoard<Row, NoInfer<Name>>
  /** Omit if the detail page is written by hand. */
  detail?(page: WorkspacePage, record: Detail): ResourceDetail<NoInfer<Name>> | Promise<ResourceDetail<NoInfer<Name>>>
  readonly form: ResourceForm<Detail>
  /** Set if records can be deleted: the deleted object, if not the record itself, and the effect. */
  readonly deletes?: { readonly of?: string; readonly effect?: string }
}

interface ResourceList<Row, Name> {
  /** The contract's schema of a row, whose fields are the columns of CSV files. */
  readonly row: { readonly shape: Readonly<Record<string, unknown>> }
  /** The column that links to the record. */
  readonly link: Name
  readonly columns: readonly Name[]
  /** The other columns that fit on a phone. */
  readonly onPhones: readonly Name[]
  /** Filters of the list and board. In a list, the board's field is a filter too. */
  readonly filters?: readonly Name[]
  /** Named filters, shown as tabs with counts. The API must have `count`. */
  views?(page: WorkspacePage): readonly ResourceView[]
  /** The API's sort orders of columns. */
  readonly sorts?: { readonly [Key in Name & string]?: readonly [sort: string, direction: 'ascending' | 'descending'] }
  /** Fields that can be changed for several records at once. Lists, such as tags, are added to. */
  readonly bulk?: readonly Name[]
  /** Whether links to records keep the list, so that their pages link to the neighbors. */
  readonly keepsPosition?: boolean
  /** The label of the search field. */
  readonly search?: string
  readonly searchHint?: string
  /** Content before the link. */
  mark?(row: Row): Child
  /** Content after the link. */
  after?(row: Row): Child
  /** Content below the link on phones, which have fewer columns. */
  secondLine?(row: Row, context: RenderContext): Child
  /** Whether links open the record in the drawer; defaults to true. */
  readonly drawer?: boolean
  /** Replaces the heading. */
  heading?(page: WorkspacePage): Child | Promise<Child>
  /** Replaces the create link of an empty list. */
  emptyActions?(page: WorkspacePage): Child
  readonly live?: string
}

export interface ResourceView {
  readonly label: string
  /** A query of the list page. */
  readonly query: Readonly<Record<string, string>>
  /** Whether it is the member's own. */
  readonly isOwn?: boolean
  /** Set if everyone in the workspace has it: who shared it. */
  readonly shared?: { readonly id: number; readonly by: string; readonly byId: number | undefined }
}

export interface ResourceBoard<Row, Name> {
  /** The field whose values are the columns. */
  readonly by: Name
  readonly values: readonly string[]
  /** The number of trailing columns that share one column's width. */
  readonly stacked: number
  /** The text between the title and the new value: `is in` for `Storage is in proposal`. */
  readonly verb: string
  mark?(value: string): Child
  /** Content below the title of a card. */
  card(row: Row, context: RenderContext): Child
  /** A summary of a column's cards, next to its title. */
  aside?(rows: readonly Row[], page: WorkspacePage): string
  /** A summary of all cards, in the toolbar. */
  summary?(rows: readonly Row[], page: WorkspacePage): string
}

export interface ResourceDetail<Name extends string> {
  /** A name prefixed with `?` is hidden if its value is empty. */
  readonly facts: readonly (Name | `?${Name}` | readonly [name: Child, value: Child] | false)[]
  /** The field shown next to the title. */
  readonly badge?: Name
  readonly summary?: string
  /** Whether this record cannot be deleted although others can. */
  readonly isProtected?: boolean
  /** Buttons after the standard ones. */
  readonly actions?: Child
  /** A long text, shown below its label. */
  readonly prose?: Name
  readonly below?: Child
  readonly live?: string
}

interface InlineFields {
  readonly names: readonly string[]
  /** The page for a refused change of these fields, instead of the whole form. It keeps what else was typed there. */
  refused(page: WorkspacePage, refused: FormState): Promise<PageResult>
  /** The page after a change, if more was typed there. */
  saved(page: WorkspacePage): Promise<PageResult> | undefined
}

interface FormEditors {
  readonly line: Child
  readonly reportTo: string | undefined
}

interface ResourceForm<Detail> {
  readonly create?: InputSchema
  readonly change: InputSchema
  /** Initial values of a new form. */
  initial?(page: WorkspacePage): Readonly<Record<string, unknown>>
  readonly verb?: 'Edit' | 'Rename'
  /** Defaults to `Edit task`. */
  heading?(record: Detail): string
  /** Who else edits the record, and the address to which the script reports that the reader does. */
  editors?(page: WorkspacePage, record: Detail): Promise<FormEditors>
  /** The fields that can be changed on the page of the record. */
  readonly inline?: InlineFields
  /** A sentence below the heading of a new form. */
  readonly intro?: string
  /** The message after creation (default `is created`), or a page to show instead of the new record. */
  readonly created?: string | ((page: WorkspacePage, created: never) => PageResult)
}

/** A contract schema. */
export interface InputSchema {
  readonly shape: Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>>
}

/** If it is not exact, more rows match, or may match. */
export interface Counted {
  readonly count: number
  readonly is_exact: boolean
}

/** The admin API methods that the pages call. */
interface ResourceApi<Row, Detail> {
  list(at: { readonly workspace: number }, query: Record<string, unknown>): ListCall<Page<Row>>
  count?(at: { readonly workspace: number }, query: Record<string, unknown>): Call<Counted>
  get(at: { readonly id: number }): Call<Detail>
  create?(
    at: { readonly workspace: number },
    input: Record<string, unknown>,
    options: object,
  ): Call<{ readonly id: number }>
  update(at: { readonly id: number }, patch: Record<string, unknown>, options: object): Call<{ readonly id: number }>
  delete?(at: { readonly id: number }): Call<unknown>
}

/** A record with untyped fields, as the generic code sees it. */
export type AnyRecord = { readonly id: number } & Readonly<Record<string, unknown>>

/** A description with untyped fields, as the generic code sees it. */
export type AnyResource = Omit<Resource<AnyRecord, AnyRecord, string>, 'fields'> & {
  readonly fields: Readonly<Record<string, Field<unknown>>>
}

/** The compiler checks field names and types against the contract. */
export const defineResource =
  <Row, Detail>() =>
  <Name extends string>(resource: Resource<Row, Detail, Name>): AnyResource =>
    // Fields are accessed by name from here on. The types above have checked them.
    ({ ...resource, fields: { ...resource.fields, ...derivedFields(resource as never) } }) as never

/** Text and date fields that only the contract has, so that they appear in forms, tables, and CSV without a description. */
function derivedFields({ form, fields }: AnyResource): Readonly<Record<string, Field<never>>> {
  const derived = Object.entries({ ...form.create?.shape, ...form.change.shape }).flatMap(([name, schema]) => {
    const accepts = (value: unknown) => schema.safeParse(value).success
    if (name in fields || !accepts('2000-01-01')) return []
    const label = words(name.replace(/_at$/, ''))
    return [[name, { ...(accepts('text') ? text(label) : day(label)), isDerived: true }]]
  })
  return Object.fromEntries(derived)
}

export const pathOf = ({ noun, parent }: AnyResource): string => `${parent?.path ?? ''}/${noun}s`

/** The list page and its parents. */
export const crumbsOf = (resource: AnyResource, page: WorkspacePage) =>
  [
    ...(resource.parent === undefined ? [] : [resource.parent]),
    { label: words(`${resource.noun}s`), path: pathOf(resource) },
  ].map(({ label, path }) => ({ label, href: page.link(path) }))

export function getField({ fields, noun }: AnyResource, name: string): Field<unknown> {
  const field = fields[name]
  if (field === undefined) throw new TypeError(`Describe the field ${name} of a ${noun}.`)
  return field
}
