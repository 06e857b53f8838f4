import { integerId, requiredText } from '@service/contract'
import { parseInstant } from '@service/intake/sanitise/instant'
import * as z from 'zod/mini'
import type { TxApp } from '../../context.ts'
import type { Database } from '../../store/database.ts'
import type { Ref } from './factory-fields.ts'

const longestName = 2048

const reference = z.nullish(
  z.union([integerId, requiredText(longestName), z.object({ id: integerId })], {
    error: 'must be an id, a name or an object with an id',
  }),
)

export const pinnedInstant = z.optional(
  z.string().check(z.refine((text) => parseInstant(text) !== null, { error: 'must be an instant with an offset' })),
)

/** Fields that name something, as they are called on the wire, and what it is. */
export type Relations = Readonly<Record<string, Kind>>

/** How a thing of one kind is made: from which fields, and from what else that must be there before. */
export interface FactoryDefinitionParts<Shape extends z.core.$ZodShape, Related extends Relations, Made> {
  readonly kind: Kind
  readonly shape: Shape
  readonly relations: Related
  /** Relations that are made, once per workspace, when they are left out. */
  readonly needs: readonly (keyof Related & string)[]
  /** `n` is the number that the thing will most likely get, for defaults that differ. */
  make(app: TxApp, given: Given<Shape, Related>, n: number): Promise<Made>
}

/** What `make` gets: the fields as they were checked, and ids for all relations. */
type Given<Shape extends z.core.$ZodShape, Related extends Relations> = z.output<z.ZodMiniObject<Shape>> & {
  readonly [Field in keyof Related]?: number | null | undefined
} & { readonly workspace_id: number }

/** `project_id` may also be written `project`. */
type Alias<Field> = Field extends `${infer Name}_id` ? Name : never

/** What a factory takes: everything may be left out. */
export type InputOf<Shape extends z.core.$ZodShape, Related extends Relations> = Plain<
  z.input<z.ZodMiniObject<Shape>> & RelatedInput<Related> & Common
>

/** One object where several were put together, so that an editor shows its fields. */
type Plain<Fields> = { [Field in keyof Fields]: Fields[Field] } & {}

type RelatedInput<Related extends Relations> = {
  readonly [Field in (keyof Related & string) | Alias<keyof Related & string>]?: Ref | null | undefined
}

interface Common {
  readonly workspace?: Ref | null | undefined
  readonly workspace_id?: Ref | null | undefined
  /** Pins the id; ids only go up. */
  readonly id?: number | undefined
  /** When it was made, by the platform's clock: everything that is reckoned from it follows. */
  readonly created_at?: string | undefined
}

export interface FactoryDefinition<Input, Made> {
  readonly kind: Kind
  readonly input: z.ZodMiniType
  readonly relations: Relations
  readonly needs: readonly string[]
  /** As in the parts. What it takes is left open, so that the types which users see know nothing of the database. */
  make(app: never, given: never, n: number): Promise<Made>
  /** Carries the input's type; never set. */
  readonly takes?: Input
}

export function defineFactory<const Shape extends z.core.$ZodShape, const Related extends Relations, Made>(
  parts: FactoryDefinitionParts<Shape, Related, Made>,
): FactoryDefinition<InputOf<Shape, Related>, Made> {
  const { kind, shape, relations, needs, make } = parts
  const fields = Object.keys(relations).flatMap((field) => [field, aliasOf(field)])
  const input = z.strictObject({
    ...(kind === 'workspace' ? {} : { workspace: reference, workspace_id: reference }),
    ...(tableOf(kind) === undefined ? {} : { id: z.optional(integerId) }),
    created_at: pinnedInstant,
    ...Object.fromEntries(fields.map((field) => [field, reference])),
    ...shape,
  })
  return { kind, input, relations, needs, make: make as FactoryDefinition<unknown, Made>['make'] } // `makeOne` gives it what the schema has
}

export const aliasOf = (field: string) => field.replace(/_id$/, '')

/** How things of one kind are stored and called. */
interface Kept {
  /** The table that counts their ids; a member's id is that of the user. */
  readonly table?: keyof Database
  /** Columns by which a text may name them, the first that fits. */
  readonly names?: readonly string[]
}

/** Everything that can be made, under the name that factories have for it. */
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
} as const satisfies Record<string, Kept>

export type Kind = keyof typeof kinds

export const tableOf = (kind: Kind): keyof Database | undefined => (kinds[kind] as Kept).table
export const namesOf = (kind: Kind): readonly string[] => (kinds[kind] as Kept).names ?? []
