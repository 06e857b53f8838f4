import * as z from 'zod/mini'
import { integrationNames } from './admin/integration-input.ts'
import { integerId, requiredText } from './fields.ts'
import { gitProviders, leadSources } from './values.ts'

// Not in the index: the client fills paths without it, and its bundle has no use for schemas of parameters.

interface PathParamEntry {
  /** Of its value; a number is read from digits. */
  readonly schema: z.ZodMiniType
  /** What a segment must look like for the path to be this route at all; another segment is another address. */
  readonly pattern?: string
  readonly description: string
  readonly example: string | number
}

/** Every `{name}` that a path may have. A name that is not here does not compile (`routes.ts`). */
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
    description: `What pushes: ${integrationNames.map((name) => `\`${name}\``).join(', ')}.`,
    example: 'errors',
  },
  priority: { schema: requiredText(64), description: 'A priority of tickets.', example: 'high' },
  name: { schema: z.string(), description: 'The name of a saved state.', example: 'paid-order' },
  kind: { schema: z.string(), description: 'What to make.', example: 'ticket' },
} as const satisfies Record<string, PathParamEntry>

export type PathParamName = keyof typeof pathParams

/** What a segment must look like to be this parameter; undefined where any may be. */
export function segmentPattern(name: PathParamName): string | undefined {
  const entry: PathParamEntry = pathParams[name]
  return entry.pattern
}

/** The value of a path parameter, as a handler gets it. */
export type PathParam<Name extends PathParamName> = z.output<(typeof pathParams)[Name]['schema']>

/** `a/{x}/b/{y}` → `'x' | 'y'`. */
export type ParamNamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNamesIn<Rest>
  : never

/** The parameters of a path, in their order. */
export const paramNamesIn = (path: string): PathParamName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParamName) // `routes.ts` refuses any other
