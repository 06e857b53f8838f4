import type { Call } from '@service/client/admin'
import { words } from './format.ts'
import type { Fields, PublicPage } from './page-types.ts'

/** What a form shows: what was typed, and what is wrong with it. */
export interface FormState {
  text(name: string): string
  list(name: string): readonly string[]
  /** The first sentence about a field. */
  error(name: string): string | undefined
  /** All sentences, with the fields that they are about. */
  readonly problems: readonly Problem[]
  /** What the form calls its fields; each field tells its label when it is rendered. */
  readonly labels: Map<string, string>
  /** What is wrong with the whole. */
  readonly refusal: string | undefined
  /** 422, 409 or 412 when it was refused. */
  readonly status: number
  /** What is stored of a field by now, where that is something else than what was typed; after a 412 only. */
  stored(name: string): string | undefined
}

interface Problem {
  readonly field: string
  readonly sentence: string
}

type Values = Readonly<Record<string, unknown>>

/** A form that nobody has sent yet. */
export function freshForm(values: Values = {}): FormState {
  const given = (name: string) => values[name] ?? ''
  return {
    text: (name) => String(given(name)),
    list: (name) => [given(name)].flat().map(String).filter(Boolean),
    ...withoutProblems,
    labels: new Map(),
  }
}

const withoutProblems = {
  error: () => undefined,
  problems: [],
  refusal: undefined,
  status: 200,
  stored: () => undefined,
}

/**
 * A refused form of something that exists, with what is stored of it by now: what the form did not have is filled in, and
 * after a 412 each field that differs says so.
 */
export function besideStored(form: Fields, refused: FormState, values: Values): FormState {
  const { text, list } = freshForm(values)
  const differs = (name: string) => refused.status === 412 && form.has(name) && form.text(name) !== text(name)
  return {
    ...refused,
    refusal: refused.status === 412 ? changedMeanwhileBeside : refused.refusal,
    text: (name) => (form.has(name) ? form : { text }).text(name),
    list: (name) => (form.has(name) ? form : { list }).list(name),
    stored: (name) => (differs(name) ? text(name) : undefined),
  }
}

export type Submitted<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly form: FormState }

/** Sends what a form holds; what is refused for a reason that its author can mend comes back with the form. */
export async function submit<Data>(
  page: Pick<PublicPage, 'form' | 'refusalOf'>,
  call: Call<Data>,
): Promise<Submitted<Data>> {
  const result = await call.safe()
  if (result.ok) return { ok: true, data: result.data }
  const { error } = result
  const { message, errors } = page.refusalOf(error) ?? { message: error.message, errors: {} }
  if (error.code === 'validation') return { ok: false, form: refusedForm(page.form, errors, 422) }
  if (error.code === 'conflict' && error.status === 412) return { ok: false, form: changedMeanwhile(page.form) }
  if (error.code === 'conflict') return { ok: false, form: refusedForm(page.form, {}, 409, message) }
  throw error
}

const changedMeanwhile = (form: Fields) =>
  refusedForm(
    form,
    {},
    412,
    'Somebody else has changed this meanwhile. Below is what you typed; save again to keep it.',
  )

const changedMeanwhileBeside =
  'Somebody else has changed this meanwhile. Below is what you typed and, where that differs, what is stored now; save again to keep yours.'

/** The form with what was typed and what is wrong with it. */
export function refusedForm(
  form: Fields,
  errors: Readonly<Record<string, readonly string[]>>,
  ...[status = 422, refusal]: readonly [status?: number, refusal?: string]
): FormState {
  // Of a list the key is that of the item, e.g. `scopes.0`.
  const problems = Object.entries(errors).map(([key, [sentence = '']]) => {
    const [field = key] = key.split('.')
    return { field, sentence: sentence.replace(subject(key), subject(plainName(field))) }
  })
  return {
    text: (name) => form.text(name),
    list: (name) => form.list(name),
    error: (name) => problems.find(({ field }) => field === name)?.sentence,
    problems,
    labels: new Map(),
    refusal,
    status,
    stored: () => undefined,
  }
}

/** The same sentence about a field that the form sends under another name. */
export const sentenceAs = (name: string, { field, sentence }: Problem): string =>
  sentence.replace(subject(plainName(field)), subject(name))

const subject = (name: string) => `The ${name} field`
const plainName = (field: string) => words(field).toLowerCase()

/** The sentence with the label of the field, as far as the form shows one. */
export function sentenceWithLabel({ labels }: Pick<FormState, 'labels'>, { field, sentence }: Problem): string {
  const label = labels.get(field)
  return label === undefined ? sentence : sentence.replace(subject(plainName(field)), subject(inSentence(label)))
}

/** `API tokens` stays as it is. */
const inSentence = (label: string) =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.slice(0, 1).toLowerCase() + label.slice(1)

/** What a field sends, or nothing when it is empty: an optional field is left out, not sent as an empty text. */
export const textOrUndefined = (form: Fields, name: string): string | undefined => form.text(name) || undefined
export const textOrNull = (form: Fields, name: string): string | null => form.text(name) || null
export const numberOrNull = (form: Fields, name: string): number | null => toNumber(form.text(name)) ?? null
export const numberOrUndefined = (fields: Fields, name: string): number | undefined => toNumber(fields.text(name))

export const toNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** The end of a day that a date field has, in the reader's zone near enough: midnight UTC after it. */
export function endOfDay(day: string): string | undefined {
  const at = Date.parse(`${day}T23:59:59Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** For the calls that create something: a form that is sent twice creates one. */
export const onceKey = (form: Fields): { readonly idempotencyKey?: string } =>
  /^[\w-]{8,64}$/.test(form.text('form_key')) ? { idempotencyKey: form.text('form_key') } : {}

/** For the calls that change something: it is refused when somebody has changed it meanwhile. */
export const ifUnchanged = (form: Fields): { readonly headers?: Readonly<Record<string, string>> } =>
  form.text('version') === '' ? {} : { headers: { 'if-match': form.text('version') } }

/** An address with a query string; what is empty is left out. */
export function addressWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** What a list is asked for now: the values of these names in its address. */
export const valuesOf = (query: Fields, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, query.text(name)]))
