import type { Call } from '@service/client/admin'
import { words } from './format.ts'
import type { Fields, PublicPage } from './page-types.ts'

/** The state of a form: its input and errors. */
export interface FormState {
  text(name: string): string
  list(name: string): readonly string[]
  /** The first error of a field. */
  error(name: string): string | undefined
  /** All errors with their fields. */
  readonly problems: readonly Problem[]
  /** Field labels. Each field adds its label when rendered. */
  readonly labels: Map<string, string>
  /** An error that concerns no specific field. */
  readonly refusal: string | undefined
  /** 422, 409, or 412 after a refusal. */
  readonly status: number
  /** The stored value of a field if it differs from the input. Only after a 412. */
  stored(name: string): string | undefined
}

interface Problem {
  readonly field: string
  /** The field and, for an entry of a list, its place: `actions.0.title`. */
  readonly path: string
  readonly sentence: string
}

type Values = Readonly<Record<string, unknown>>

/** A form that has not been submitted. */
export function newForm(values: Values = {}): FormState {
  const given = (name: string) => values[name] ?? ''
  return {
    text: (name) => String(given(name)),
    list: (name) => [given(name)].flat().map(String).filter(Boolean),
    ...withoutProblems,
    labels: new Map(),
  }
}

/** Text without spaces around it. Browsers send line breaks of text areas as CRLF. */
export const plainText = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim()

/** What a form sends of an unchanged text: browsers remove line breaks from the text of controls with one line. */
export const sentText = (text: string, isMultiline = false): string =>
  isMultiline ? plainText(text) : text.replaceAll(/[\r\n]/g, '').trim()

const withoutProblems = {
  error: () => undefined,
  problems: [],
  refusal: undefined,
  status: 200,
  stored: () => undefined,
}

/**
 * A refused form of an existing record, merged with the stored values: fields missing from the form are filled in, and
 * after a 412 each differing field shows the stored value.
 */
export function withStoredValues(form: Fields, refused: FormState, values: Values): FormState {
  const { text, list } = newForm(values)
  const differs = (name: string) =>
    refused.status === 412 && form.has(name) && form.text(name) !== plainText(text(name))
  return {
    ...refused,
    refusal: refused.status === 412 ? conflictWithStoredValues : refused.refusal,
    text: (name) => (form.has(name) ? form : { text }).text(name),
    list: (name) => (form.has(name) ? form : { list }).list(name),
    stored: (name) => (differs(name) ? text(name) : undefined),
  }
}

export type Submitted<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly form: FormState }

/**
 * Submits a form. Errors that the user can fix are returned with the form. `own` has the form's words for errors of
 * fields, or entries of lists, that the server refuses too, so that they are shown together with the errors of the other fields.
 */
export async function submit<Data>(
  page: Pick<PublicPage, 'form' | 'findRefusal'>,
  call: Call<Data>,
  own: Errors = {},
): Promise<Submitted<Data>> {
  const result = await call.safe()
  if (result.ok) return { ok: true, data: result.data }
  const { error } = result
  const { message, errors } = page.findRefusal(error) ?? { message: error.message, errors: {} }
  if (error.code === 'validation') {
    const isOwn = (key: string) => Object.keys(own).some((known) => `${key}.`.startsWith(`${known}.`))
    const others = Object.entries(errors).filter(([key]) => !isOwn(key))
    return { ok: false, form: refusedForm(page.form, { ...own, ...Object.fromEntries(others) }, 422) }
  }
  if (error.code === 'conflict' && error.status === 412) return { ok: false, form: conflictForm(page.form) }
  if (error.code === 'conflict') return { ok: false, form: refusedForm(page.form, {}, 409, message) }
  throw error
}

type Errors = Readonly<Record<string, readonly string[]>>

/** For a list item, the key includes the index, e.g. `scopes.0`. */
const fieldOf = (key: string) => key.split('.')[0] ?? key

const conflictForm = (form: Fields) => refusedForm(form, {}, 412, conflict)

export const conflict = 'Someone else has changed this record. Below is your input; save again to keep it.'

export const conflictWithStoredValues =
  'Someone else has changed this record. Below is your input and, where it differs, the stored value; save again to keep yours.'

/** The form with its input and errors. */
export function refusedForm(
  form: Fields,
  errors: Errors,
  ...[status = 422, refusal]: readonly [status?: number, refusal?: string]
): FormState {
  const problems = Object.entries(errors).map(([key, [sentence = '']]) => {
    const field = fieldOf(key)
    const plain = sentence.replace(subject(key), subject(plainName(field)))
    return { field, path: key, sentence: plain.replace(selected(key), selected(selectedName(field))) }
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

/** The first invalid field of the form. Without labels, before it is rendered, that of the first error. */
export const firstInvalid = ({ labels, problems, error }: FormState): string | undefined =>
  [...labels.keys()].find((name) => error(name) !== undefined) ?? problems[0]?.field

/** The error with another field name, for forms that rename the field. */
export const sentenceAs = (name: string, { field, sentence }: Pick<Problem, 'field' | 'sentence'>): string =>
  sentence.replace(subject(plainName(field)), subject(name))

const subject = (name: string) => `The ${name} field`
const selected = (name: string) => `The selected ${name} `
const plainName = (field: string) => words(field).toLowerCase()
const selectedName = (field: string) => plainName(field.replace(/_id$/, ''))

/** The error with the field's label instead of its name, if the form has one. */
export function sentenceWithLabel(
  { labels }: Pick<FormState, 'labels'>,
  { field, sentence }: Pick<Problem, 'field' | 'sentence'>,
): string {
  const label = labels.get(field)
  if (label === undefined) return sentence
  return sentence
    .replace(subject(plainName(field)), subject(inSentence(label)))
    .replace(selected(selectedName(field)), selected(inSentence(label)))
}

/** Keeps acronyms such as `API tokens`. */
const inSentence = (label: string) => {
  const noun = label.replace(/^Your /, '')
  return /^\p{Lu}\p{Lu}/u.test(noun) ? noun : noun.slice(0, 1).toLowerCase() + noun.slice(1)
}

/** The reason why a change was refused, for a notice. */
export const refusalOf = ({ refusal, problems }: FormState): string =>
  refusal ?? problems[0]?.sentence ?? 'The change could not be made.'

/** The text of a field; undefined if empty, so that optional fields are omitted. */
export const textOrUndefined = (form: Fields, name: string): string | undefined => form.text(name) || undefined
export const textOrNull = (form: Fields, name: string): string | null => form.text(name) || null
export const numberOrNull = (form: Fields, name: string): number | null => toNumber(form.text(name)) ?? null
export const numberOrUndefined = (fields: Fields, name: string): number | undefined => toNumber(fields.text(name))

/** The number in a text. Another text stays as it is, because the server refuses it with a sentence. */
export function readNumber(text: string): number {
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : (text as never)
}

export const toNumber = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** Options for create calls: an idempotency key, so that a double submit creates one record. */
export const idempotency = (form: Fields): { readonly idempotencyKey?: string } =>
  /^[\w-]{8,64}$/.test(form.text('form_key')) ? { idempotencyKey: form.text('form_key') } : {}

/** A URL with a query string. Empty values are omitted. */
export function urlWith(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The values of these names in the URL. */
export const queryValues = (query: Fields, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, query.text(name)]))
