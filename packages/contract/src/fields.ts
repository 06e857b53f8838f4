import * as z from 'zod/mini'
import type { Open } from './values.ts'

// Request bodies are checked against the limits. Responses are read leniently, because the real service may
// add fields and values. So there are two sets: `text`, `integerId`, … for bodies, `orNull`, `instant`, … for responses.
// Formats that are documented but not checked are in field-forms.ts, which the client does not need.

export const maxTitleLength = 255
export const maxTextLength = 65_535
export const maxTags = 50
export const maxTagLength = 64
export const maxOpenValueLength = 64
export const maxMoney = 1_000_000_000_000

/** PostgreSQL cannot store U+0000 in text, so no text field accepts it. */
const withoutNul = z.regex(/^[^\u0000]*$/, { error: 'nul' })
/** A character that shows. Others are spaces, control characters, the empty Braille pattern, and ignorable ones such as U+200B. */
export const visibleCharacter = /[^\s\p{Cc}\p{DI}\u2800]/u
const notBlank = z.regex(visibleCharacter, { error: 'required' })

/** A required text that is not blank. */
export const requiredText = (maxLength: number) => z.string().check(notBlank, z.maxLength(maxLength), withoutNul)

/** An optional text; null means "not given". */
export const text = (maxLength: number) => z.nullish(z.string().check(z.maxLength(maxLength), withoutNul))

const openValue = (filled: typeof notBlank) =>
  z.string().check(filled, z.maxLength(maxOpenValueLength), withoutNul) as never // string and Open<Known> are one set at run time

/** An e-mail address, trimmed. Only the server checks its format (`emailForm`). */
export const emailText = z.string().check(
  (payload) => {
    payload.value = payload.value.trim()
  },
  z.maxLength(maxTitleLength, { abort: true }),
)

/** A required value of an open list. */
export const requiredOpen = <Known extends string>(): z.ZodMiniType<Open<Known>, Open<Known>> => openValue(notBlank)

/** An optional value of an open list: any string of 1–64 characters. */
export const optionalOpen = <Known extends string>() =>
  z.nullish<z.ZodMiniType<Open<Known>, Open<Known>>>(openValue(z.regex(visibleCharacter, { error: 'blank' })))

export const integerId = z.int().check(z.minimum(1))
export const optionalId = z.nullish(integerId)

// `z.iso.date()` does the same but also bundles date-times, times and durations: 0.7 kB of the client's 17 kB.
const calendarDay = ({ value, issues }: z.core.ParsePayload<string>): void => {
  if (!isDay(value)) issues.push({ code: 'invalid_format', format: 'date', input: value })
}
/** Whether the text is a day of the calendar (`YYYY-MM-DD`). `Date` alone would move 30 February to March. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).getUTCDate() === +text.slice(8)

/** A day of a body or a query string. */
export const dayText = z.string().check(calendarDay)

/** A date-time in a body: ISO 8601 with a UTC offset. Only the server checks its format. */
export const instantText = z.string()

export const optionalDate = z.nullish(dayText)
/** A filter by a day, in a query string. */
export const dateFilter = z.optional(dayText)
export const optionalTags = z.nullish(
  z.array(z.string().check(notBlank, z.maxLength(maxTagLength), withoutNul)).check(z.maxLength(maxTags)),
)

/** A nullable field of a response. A missing field is read as null. */
export const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null)

/** A field of a response with an open list of values. */
export const open = <Known extends string>(): z.ZodMiniType<Open<Known>, Open<Known>> => z.string() as never // as in requiredOpen

/** An instant in a response: ISO 8601, UTC, microseconds, trailing Z (§2), e.g. `2026-11-20T18:51:53.123456Z`. */
export const instant = z.string()

/** A day in a response: `YYYY-MM-DD` (§2). */
export const day = z.string()

/** An amount in a response: a decimal string with two places (§2), e.g. `"1234.50"`. */
export const money = z.string()

/** A person or thing with its id and name. */
export const Named = z.looseObject({ id: z.int(), name: z.string() })
export type Named = z.infer<typeof Named>

export const dataOf = <Schema extends z.ZodMiniType>(schema: Schema) => z.looseObject({ data: schema })

/** Lists hold at most 50 records, newest first (§4, §8). */
export const maxListLength = 50
export const listOf = <Schema extends z.ZodMiniType>(schema: Schema) => dataOf(z.array(schema))
