import { gitEventHeaders, gitProviders, leadSources, type Route } from '@service/contract'
import type { oas31, ZodOpenApiParameterObject } from 'zod-openapi'

const sourceKeys = leadSources.map((source) => `\`${source}\``).join(', ')

/** The parameters that operations refer to: one for each name in braces, and `Idempotency-Key`. */
export const parameters: Record<string, ZodOpenApiParameterObject> = {
  workspace: {
    name: 'workspace',
    in: 'path',
    required: true,
    description: 'The numeric id of the workspace.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  provider: {
    name: 'provider',
    in: 'path',
    required: true,
    description: 'The Git provider that sends the event.',
    schema: { type: 'string', enum: [...gitProviders] },
    example: 'github',
  },
  source: {
    name: 'source',
    in: 'path',
    required: true,
    description: `The key of a lead source: ${sourceKeys}.`,
    schema: { type: 'string' },
    example: 'website',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    // No example: an interactive reference would fill it in, and the second try would be refused.
    description:
      'A text of your choice, such as a UUID, that makes repeating the request safe. For 24 hours the same key with the same body gets the stored answer; with another body it gets 422.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
}

type Parameter = ZodOpenApiParameterObject | oas31.ReferenceObject

const refer = (name: string): Parameter => ({ $ref: `#/components/parameters/${name}` })

/** What a request of this route carries besides its body. */
export function parametersOf(route: Route): Parameter[] {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return [
    ...names.map(refer),
    ...(route.operation === 'git.send' ? gitHeaders() : []),
    ...(route.method === 'POST' ? [refer('Idempotency-Key')] : []),
  ]
}

const gitEvents = { github: 'issues', gitlab: 'Issue Hook', bitbucket: 'issue:created' }

function gitHeaders(): Parameter[] {
  return gitProviders.map((provider) => ({
    name: gitEventHeaders[provider],
    in: 'header',
    required: false,
    description: `Names the event when \`provider\` is \`${provider}\`.`,
    schema: { type: 'string' },
    example: gitEvents[provider],
  }))
}
