import { instantProblem, integerId, requiredText } from '@service/contract'
import { parseInstant } from '@service/intake/sanitize/instant'
import * as z from 'zod/mini'
import type { TxApp } from '../../context.ts'
import type { Database } from '../../store/database.ts'
import type { Ref } from './factory-fields.ts'

const maxNameLength = 2048

const reference = z.nullish(
  z.union([integerId, requiredText(maxNameLength), z.object({ id: integerId })], {
    error: 'must be an id, a name or an object with an id',
  }),
)

export const pinnedInstant = z.optional(
  z.string().check(z.refine((text) => parseInstant(text) !== null, { error: instantProblem })),
)

/** Fields that refer to records: wire name and kind. */
export type Relations = Readonly<Record<string, Kind>>

/** How to create one kind: its fields, and what must exist first. */
export interface FactoryDefinitionParts<Shape extends z.core.$ZodShape, Related extends Relations, Created> {
  readonly kind: Kind
  readonly shape: Shape
  readonly relations?: Related
  /** Relations created by default, once per workspace. */
  readonly needs?: readonly (keyof Related & string)[]
  /** `n` is the expected id of the row, so that defaults differ. */
  make(app: TxApp, input: DefinitionInput<Shape, Related>, n: number): Promise<Created>
}

/** The input of `make`: the checked fields, and ids for all relations. */
type DefinitionInput<Shape extends z.core.$ZodShape, Related extends Relations> = z.output<z.ZodMiniObject<Shape>> & {
  readonly [Field in keyof Related]?: number | null | undefined
} & { readonly workspace_id: number }

/** `project_id` may also be written as `project`. */
type Alias<Field> = Field extends `${infer Name}_id` ? Name : never

/** The input of a factory; all fields are optional. */
export type InputOf<Shape extends z.core.$ZodShape, Related extends Relations> = z.input<z.ZodMiniObject<Shape>> &
  RelatedInput<Related> &
  Common

type RelatedInput<Related extends Relations> = {
  readonly [Field in (keyof Related & string) | Alias<keyof Related & string>]?: Ref | null | undefined
}

interface Common {
  readonly workspace?: Ref | null | undefined
  readonly workspace_id?: Ref | null | undefined
  /** Fixes the id. Ids can only increase. */
  readonly id?: number | undefined
  /** The creation time, by the platform's clock. Derived times follow it. */
  readonly created_at?: string | undefined
}

export interface FactoryDefinition<Input, Created> {
  readonly kind: Kind
  readonly input: z.ZodMiniType
  readonly relations: Relations
  readonly needs: readonly string[]
  /** Same as in the parts. The input is `never`, so that public types do not depend on the database. */
  make(app: never, input: never, n: number): Promise<Created>
  /** Carries the input type; never set. */
  readonly takes?: Input
}

export function defineFactory<
  const Shape extends z.core.$ZodShape,
  Created,
  const Related extends Relations = Record<never, never>,
>({
  kind,
  shape,
  relations,
  needs = [],
  make,
}: FactoryDefinitionParts<Shape, Related, Created>): FactoryDefinition<InputOf<Shape, Related>, Created> {
  const fields = Object.keys(relations ?? {}).flatMap((field) => [field, aliasOf(field)])
  const input = z.strictObject({
    ...(kind === 'workspace' ? {} : { workspace: reference, workspace_id: reference }),
    ...(tableOf(kind) === undefined ? {} : { id: z.optional(integerId) }),
    created_at: pinnedInstant,
    ...Object.fromEntries(fields.map((field) => [field, reference])),
    ...shape,
  })
  return { kind, input, relations: relations ?? {}, needs, make: make as FactoryDefinition<unknown, Created>['make'] } // `createRecord` validates its input
}

export const aliasOf = (field: string) => field.replace(/_id$/, '')

/** How one kind is stored and referred to by name. */
interface KindStorage {
  /** The table with its ids. A member's id is the user's. */
  readonly table?: keyof Database
  /** The columns that a name is looked up in; the first match wins. */
  readonly names?: readonly string[]
}

/** Everything that factories can create. */
export const kinds = {
  workspace: { table: 'workspaces', names: ['name'] },
  member: { table: 'users', names: ['email', 'name'] },
  token: { table: 'api_tokens', names: ['name'] },
  slaPolicy: {},
  project: { table: 'projects', names: ['name'] },
  account: { table: 'accounts', names: ['name'] },
  channel: { table: 'channels', names: ['name'] },
  ticket: { table: 'tickets', names: ['title'] },
  task: { table: 'tasks', names: ['title'] },
  message: { table: 'messages' },
  deal: { table: 'deals', names: ['title'] },
  leadSource: {},
  lead: { table: 'leads', names: ['email', 'name'] },
  employee: { table: 'employees', names: ['employee_code', 'attendance_uid'] },
  device: { table: 'devices', names: ['external_device_id', 'device_name'] },
  punch: { table: 'punches' },
  integration: {},
  errorReport: {},
  rule: { table: 'automation_rules', names: ['name'] },
  subscription: { table: 'subscriptions', names: ['url'] },
} as const satisfies Record<string, KindStorage>

export type Kind = keyof typeof kinds

export const tableOf = (kind: Kind): keyof Database | undefined => (kinds[kind] as KindStorage).table
export const namesOf = (kind: Kind): readonly string[] => (kinds[kind] as KindStorage).names ?? []
