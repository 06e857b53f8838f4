import type { EventName as ContractEventName, OperationName as ContractOperationName, EventOf } from '@service/contract'
import { expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Config, ConfigOptions, settings } from '../../src/core/config.ts'
import type { EventName, EventPayload, Quirks } from '../../src/testing/entries/testing.ts'
import type { Definitions, InputTo, OutputOf } from '../../src/testing/factories/create-record.ts'
import type { FactoryTypes, FieldsOf, RecordOf } from '../../src/testing/factories/factory-types.ts'
import type { OperationName } from '../../src/testing/observed-request.ts'

// The public types are written out, because inferred ones would load zod and kysely in the editor. These tests compare
// them with the inferred types and name each difference.

/** Removes `readonly` and the index signatures of lenient schemas at every depth. */
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
/** Fields that a kind does not have. */
type NoField<K extends Kind> = K extends 'workspace'
  ? 'workspace' | 'workspace_id'
  : K extends 'slaPolicy' | 'leadSource' | 'integration' | 'errorReport'
    ? 'id'
    : never
type Inferred<K extends Kind> = Known<Omit<InputTo<Definitions[K]>, NoField<K>>>

type FieldsDrift = {
  [K in Kind]: SameKeys<Inferred<K>, FieldsOf<K>> extends true
    ? Same<Inferred<K>, Known<FieldsOf<K>>> extends true
      ? never
      : `create.${K} has a field of another type`
    : `create.${K} has other fields`
}[Kind]

type MadeDrift = {
  [K in Kind]: Known<OutputOf<Definitions[K]>> extends Known<RecordOf<K>> ? never : `create.${K} returns another type`
}[Kind]

it('has factories with the types of their definitions', () => {
  const kinds: Same<Kind, keyof Definitions> = true
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
      : `${Name} does not accept its parsed type`
    : `${Name} accepts values that its schema rejects`
}[keyof typeof settings]

it('has an option of the right type for each setting', () => {
  const names: Same<keyof ConfigOptions, keyof typeof settings> = true
  const drift: [SettingsDrift] extends [never] ? 'none' : SettingsDrift = 'none'
  const quirks: Same<Known<Quirks>, Known<Pick<Config, keyof Quirks>>> = true
  expect([names, drift, quirks]).toEqual([true, 'none', true])
})

it('names all operations and events with their payloads', () => {
  const operations: Same<OperationName, ContractOperationName> = true
  const events: Same<EventName, ContractEventName> = true
  const payloads: {
    [Name in EventName]: Same<Known<EventPayload<Name>>, Known<EventOf<Name>>>
  }[EventName] = true
  expect([operations, events, payloads]).toEqual([true, true, true])
})
