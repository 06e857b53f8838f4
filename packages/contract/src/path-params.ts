import * as z from 'zod/mini'
import { integerId, requiredText } from './fields.ts'
import { integrationNames } from './integration-names.ts'
import { gitProviders, leadSources } from './values.ts'

// Not in the index: the client fills paths without the schemas of parameters, so its bundle does not include them.

interface PathParamEntry {
  /** The schema of the value. Numbers are parsed from digits. */
  readonly schema: z.ZodMiniType
  /** The pattern that a segment must match. Other segments belong to other routes. */
  readonly pattern?: string
  readonly description: string
  readonly example: string | number
}

/** Every `{name}` that a path may contain. Other names do not compile (`routes.ts`). */
export const pathParams = {
  workspace: {
    schema: integerId,
    pattern: '[0-9]+',
    description: 'The numeric id of the workspace.',
    example: 1,
  },
  id: { schema: integerId, description: 'The numeric id.', example: 7 },
  provider: {
    schema: z.enum(gitProviders),
    description: 'The Git provider that sends the event.',
    example: 'github',
  },
  source: {
    schema: requiredText(64),
    description: `The key of a lead source: ${leadSources.map((source) => `\`${source}\``).join(', ')}.`,
    example: 'website',
  },
  integration: {
    schema: z.enum(integrationNames),
    description: `The integration: ${integrationNames.map((name) => `\`${name}\``).join(', ')}.`,
    example: 'errors',
  },
  priority: { schema: requiredText(64), description: 'A priority of tickets.', example: 'high' },
  file: {
    schema: requiredText(200),
    description: 'The name of a backup.',
    example: 'scheduled-2026-11-20T18-51-53-123Z.backup',
  },
  name: { schema: z.string(), description: 'The name of a saved state.', example: 'paid-order' },
  kind: { schema: z.string(), description: 'The kind of thing to create.', example: 'ticket' },
} as const satisfies Record<string, PathParamEntry>

export type PathParamName = keyof typeof pathParams

/** The pattern of a parameter's segment. Undefined if any segment matches. */
export function segmentPattern(name: PathParamName): string | undefined {
  const entry: PathParamEntry = pathParams[name]
  return entry.pattern
}

/** The value of a path parameter, as a handler receives it. */
export type PathParam<Name extends PathParamName> = z.output<(typeof pathParams)[Name]['schema']>

/** `a/{x}/b/{y}` → `'x' | 'y'`. */
export type ParamNamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNamesIn<Rest>
  : never

/** The parameters of a path, in order. */
export const paramNamesIn = (path: string): PathParamName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParamName) // `routes.ts` rejects any other
