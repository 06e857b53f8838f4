import * as z from 'zod/mini'
import { notFound } from '../../../api-error.ts'
import { type Kind, kinds } from '../../factories/kinds.ts'
import { verb } from '../verb.ts'

function kindOf(name: string | undefined): Kind {
  if (name !== undefined && Object.hasOwn(kinds, name)) return name as Kind // just asked
  throw notFound(`factory ${name}; there are ${Object.keys(kinds).join(', ')}`)
}

export const dataVerbs = [
  verb({
    method: 'GET',
    path: '/seeded',
    says: 'What the seed made: workspaces, tokens and secrets.',
    run: (server) => server.seeded,
  }),
  verb({
    method: 'POST',
    path: '/create/{kind}',
    says: 'Makes one thing (ticket, task, workspace, token …). What it needs and is not named is made too.',
    body: z.looseObject({}),
    run: (server, { body, params }) => server.create[kindOf(params['kind'])](body as never), // checked by the factory
  }),
  verb({
    method: 'POST',
    path: '/tokens',
    says: 'Issues a token, by default with every scope. Its text is in this answer and nowhere else.',
    body: z.object({
      workspace: z.optional(z.int()),
      scopes: z.optional(z.array(z.string())),
      expires_in: z.optional(z.union([z.string(), z.number()])),
    }),
    run: (server, { body: { expires_in, ...input } }) =>
      server.tokens.issue({ ...input, ...(expires_in === undefined ? {} : { expiresIn: expires_in }) } as never), // likewise
  }),
]
