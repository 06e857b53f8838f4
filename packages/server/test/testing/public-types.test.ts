import type { EventName as ContractEventName, OperationName as ContractOperationName, EventOf } from '@service/contract'
import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Config, ConfigOptions, settings } from '../../src/core/config.ts'
import type { EventResource } from '../../src/core/event-patterns.ts'
import type { EventName, EventPayload, Quirks, TriggerOverrides } from '../../src/testing/entries/testing.ts'
import type { FactoryTypes, FieldsOf, MadeOf } from '../../src/testing/factories/factory-types.ts'
import type { InputTo, MadeBy, Recipes } from '../../src/testing/factories/make-one.ts'
import type { OperationName } from '../../src/testing/observed-request.ts'

// The public types are spelled out: inferred ones would bring zod and kysely into every editor that opens a test, and show
// inference where words should stand. Here they are compared with what the code infers; a difference is named.

/** Without `readonly` and the "and any other key" of lenient schemas, at every depth. */
type Known<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Item)[]
    ? Known<Item>[]
    : Value extends object
      ? { -readonly [Key in keyof Value as string extends Key ? never : Key]: Known<Value[Key]> }
      : Value

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false
type SameKeys<One, Other> = Same<keyof One, keyof Other>

type Kind = keyof FactoryTypes
/** What a workspace does not take, and what has no id of its own. */
type NoField<K extends Kind> = K extends 'workspace'
  ? 'workspace' | 'workspace_id'
  : K extends 'slaPolicy' | 'leadSource' | 'integration' | 'errorReport'
    ? 'id'
    : never
type Inferred<K extends Kind> = Known<Omit<InputTo<Recipes[K]>, NoField<K>>>

type FieldsDrift = {
  [K in Kind]: SameKeys<Inferred<K>, FieldsOf<K>> extends true
    ? Same<Inferred<K>, Known<FieldsOf<K>>> extends true
      ? never
      : `create.${K} takes a field of another type`
    : `create.${K} takes other fields`
}[Kind]

type MadeDrift = {
  [K in Kind]: Known<MadeBy<Recipes[K]>> extends Known<MadeOf<K>> ? never : `create.${K} gives something else`
}[Kind]

it('has factories that take and give what their recipes do', () => {
  const kinds: Same<Kind, keyof Recipes> = true
  // Inline, because TypeScript prints an alias by its name alone.
  const fields: [FieldsDrift] extends [never] ? 'none' : FieldsDrift = 'none'
  const made: [MadeDrift] extends [never] ? 'none' : MadeDrift = 'none'
  expect([kinds, fields, made]).toEqual([true, 'none', 'none'])
})

type SettingsDrift = {
  [Name in keyof typeof settings]: [Known<Exclude<ConfigOptions[Name], undefined>>] extends [
    z.input<(typeof settings)[Name]['schema']>,
  ]
    ? Config[Name] extends ConfigOptions[Name]
      ? never
      : `${Name} does not take what it is read as`
    : `${Name} takes what its schema refuses`
}[keyof typeof settings]

it('has an option for each setting, of a type that the setting takes', () => {
  const names: Same<keyof ConfigOptions, keyof typeof settings> = true
  const drift: [SettingsDrift] extends [never] ? 'none' : SettingsDrift = 'none'
  const quirks: Same<Known<Quirks>, Known<Pick<Config, keyof Quirks>>> = true
  expect([names, drift, quirks]).toEqual([true, 'none', true])
})

it('names the operations and events that there are, with what events carry', () => {
  const operations: Same<OperationName, ContractOperationName> = true
  const events: Same<EventName, ContractEventName> = true
  const payloads: {
    [Name in EventName]: Same<Known<EventPayload<Name>>, Known<EventOf<Name>>>
  }[EventName] = true
  const overrides: Same<keyof TriggerOverrides, EventResource> = true
  expect([operations, events, payloads, overrides]).toEqual([true, true, true, true])
})
