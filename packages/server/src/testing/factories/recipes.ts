import type { FactoryDefinition } from './define-factory.ts'
import * as automation from './definitions/automation.ts'
import * as crm from './definitions/crm.ts'
import * as hrms from './definitions/hrms.ts'
import * as integrations from './definitions/integrations.ts'
import * as messages from './definitions/messages.ts'
import * as people from './definitions/people.ts'
import * as work from './definitions/work.ts'
import type { Kind } from './kinds.ts'

/** How everything is made. A new kind is one recipe here and one line in `kinds.ts`. */
export const recipes = {
  ...people,
  ...work,
  ...messages,
  ...crm,
  ...hrms,
  ...integrations,
  ...automation,
} satisfies { readonly [K in Kind]: FactoryDefinition<unknown, object> }

export type Recipes = typeof recipes

/** What a recipe takes, as its schema has it. */
export type InputTo<R> = R extends FactoryDefinition<infer Input, object> ? Input : never
/** What a recipe makes, as its service gives it. */
export type MadeBy<R> = R extends FactoryDefinition<unknown, infer Thing> ? Thing : never
