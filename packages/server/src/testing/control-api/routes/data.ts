import type { dataControlRoutes } from '@service/contract/test-controls/data'
import { ApiError } from '../../../core/errors.ts'
import { nearest } from '../../../core/nearest.ts'
import { type Kind, kinds } from '../../factories/kinds.ts'
import { toSnake } from '../../http/wire-names.ts'
import type { ControlHandlers } from '../control-route.ts'

/** Kinds stand in a path as they are spelled on the wire: `lead_source`. */
const kindNames = new Map(Object.keys(kinds).map((kind) => [toSnake(kind), kind as Kind])) // the keys of `kinds` are the kinds

function kindOf(name: string): Kind {
  const kind = kindNames.get(name)
  if (kind !== undefined) return kind
  const meant = nearest(name, [...kindNames.keys()])
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new ApiError('not_found', `There is no factory ${name}.${hint} There are ${[...kindNames.keys()].join(', ')}.`)
}

export const dataControls = {
  'seeded.get': (server) => server.seeded,
  'factories.create': (server, { body, kind }) => server.create[kindOf(kind)](body as never), // checked by the factory
  'tokens.issue': (server, { body: { expires_in, ...input } }) =>
    server.tokens.issue({ ...input, ...(expires_in === undefined ? {} : { expiresIn: expires_in }) } as never), // likewise
} satisfies ControlHandlers<typeof dataControlRoutes>
