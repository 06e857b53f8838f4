import fc from 'fast-check'
import * as z from 'zod/mini'

// Generates values that a contract schema accepts. Texts and numbers are filtered by the schema itself, which covers
// checks that this file does not know.

/** Values of the documented examples by field name. */
export type Examples = ReadonlyMap<string, readonly unknown[]>

export function valuesOf(schema: z.core.$ZodType, examples: Examples, name = ''): fc.Arbitrary<unknown> {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'] // the closed union of zod's own schemas
  const inner = (each: z.core.$ZodType) => valuesOf(each, examples, name)
  switch (def.type) {
    case 'object':
      return objects(def, examples)
    case 'array':
      return lists(schema, inner(def.element))
    case 'optional':
    case 'default':
      return inner(def.innerType)
    case 'nullable':
      return fc.option(inner(def.innerType))
    case 'pipe':
      return inner(def.out)
    case 'union':
      return fc.oneof(...def.options.map(inner))
    case 'record':
      return fc.dictionary(fc.string({ maxLength: 12 }), inner(def.valueType), { maxKeys: 3 })
    case 'literal':
      return fc.constantFrom(...def.values)
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries))
    case 'boolean':
      return fc.boolean()
    case 'unknown':
      return fc.jsonValue()
    case 'number':
      return accepted(schema, fc.oneof(...numbers), { name, examples })
    default:
      return accepted(schema, texts, { name, examples })
  }
}

function objects({ shape, catchall }: z.core.$ZodObjectDef, examples: Examples): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([key, field]) => [key, valuesOf(field, examples, key)] as const)
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.optin !== 'optional')
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: required })
  if (catchall === undefined) return known
  const more = fc.dictionary(fc.constantFrom(...examples.keys()), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  return fc.tuple(more, known).map(([loose, own]) => ({ ...loose, ...own }))
}

function lists(schema: z.core.$ZodType, element: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 4 } = schema._zod.bag as { minimum?: number; maximum?: number } // set by min and max length
  return fc.array(element, { minLength: minimum, maxLength: Math.min(maximum, Math.max(minimum, 4)) })
}

/** The ids of a new server are small. */
const numbers = [
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.005, 1, 999_999_999_999.99, Number.MAX_SAFE_INTEGER),
]

/** Texts that break servers: direction marks, lone surrogates, code-like text, and long text. */
export const oddTexts = [
  ...['\u0000', '\ud800', 'a\udc00b', '\u202ereversed', '\ufeff', '\u2028', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ...['e\u0301'.repeat(30), '\u0130\u0131\u017f\u1e9e', '%00', '%', '_', "'; drop table tickets; --", '$1', '{{x}}'],
  ...[
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    '=1+1',
    'null',
    'NaN',
    '-0',
    '1e999',
  ],
]

const texts = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(...oddTexts),
  fc.constantFrom(32, 64, 255, 1000, 65_535).map((length) => 'x'.repeat(length)),
)

/** Formats that no example has. */
const formats = [
  '2026-02-28',
  '2026-11-20T18:51:53Z',
  '2026-11-20T18:51:53+05:30',
  'UTC',
  'Asia/Kolkata',
  '#2f6fed',
  '2f1c9c1e-6d0b-4b6e-9a53-0f4d8e7c1a2b',
  '1,2', // ids of workspaces
]

/** The candidates that the schema accepts, or only the examples if those are few. */
function accepted(
  schema: z.core.$ZodType,
  candidates: fc.Arbitrary<unknown>,
  { name, examples }: { name: string; examples: Examples },
): fc.Arbitrary<unknown> {
  const accepts = (value: unknown) => z.safeParse(schema, value).success
  const known = [...(examples.get(name) ?? []), ...formats].filter(accepts)
  const isCommon = fc.sample(candidates, { numRuns: 40, seed: 1 }).filter(accepts).length > 5
  if (!isCommon && known.length === 0) {
    throw new Error(`No known value fits the schema of ${name}. Add one to \`formats\`.`)
  }
  return fc.oneof(
    ...(isCommon ? [candidates.filter(accepts)] : []),
    ...(known.length > 0 ? [fc.constantFrom(...known)] : []),
  )
}
