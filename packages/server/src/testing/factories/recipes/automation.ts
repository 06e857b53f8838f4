import * as z from 'zod/mini'
import { type Action, NewRule, SlaPolicyInput } from '../../../modules/automation/rule.ts'
import { createRule, setSlaPolicy } from '../../../modules/automation/service.ts'
import { recipe } from '../recipe.ts'

/** How fast tickets of a priority must be answered and resolved: within an hour and a day unless told otherwise. */
export const slaPolicy = recipe({
  kind: 'slaPolicy',
  shape: z.partial(z.omit(SlaPolicyInput, { workspace_id: true })).shape,
  relations: {},
  needs: [],
  make: (app, { priority = 'high', first_response_minutes = 60, resolution_minutes = 24 * 60, workspace_id }) =>
    setSlaPolicy(app, { workspace_id, priority, first_response_minutes, resolution_minutes }),
})

const tagsIt: Action[] = [{ type: 'add_tag', tag: 'new' }]

/** A rule; without anything it tags every new ticket. */
export const rule = recipe({
  kind: 'rule',
  shape: {
    ...z.omit(NewRule, { workspace_id: true }).shape,
    ...z.partial(z.pick(NewRule, { name: true, trigger: true, actions: true })).shape,
  },
  relations: {},
  needs: [],
  make: (app, { name, trigger = 'ticket_created', actions = tagsIt, ...given }, n) =>
    createRule(app, { ...given, name: name ?? `Rule ${n}`, trigger, actions }),
})
