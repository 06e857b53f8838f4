import type { Kind } from './kinds.ts'
import type { Recipe } from './recipe.ts'
import * as automation from './recipes/automation.ts'
import * as crm from './recipes/crm.ts'
import * as hrms from './recipes/hrms.ts'
import * as integrations from './recipes/integrations.ts'
import * as messages from './recipes/messages.ts'
import * as people from './recipes/people.ts'
import * as work from './recipes/work.ts'

/** How everything is made. A new kind is one recipe here and one line in `kinds.ts`. */
export const recipes = {
  ...people,
  ...work,
  ...messages,
  ...crm,
  ...hrms,
  ...integrations,
  ...automation,
} satisfies { readonly [K in Kind]: Recipe<unknown, object> }

export type Recipes = typeof recipes
