import type { Action } from '@service/contract/admin/automation-input'
import * as z from 'zod/mini'
import { NewRule, NewSlaPolicy } from '../../../modules/automation/input.ts'
import { createRule, setSlaPolicy } from '../../../modules/automation/service.ts'
import { defineFactory } from '../define-factory.ts'

/** How fast tickets of a priority must be answered and resolved. A limit that is not stated is none. */
export const slaPolicy = defineFactory({
  kind: 'slaPolicy',
  shape: z.partial(z.omit(NewSlaPolicy, { workspace_id: true })).shape,
  relations: {},
  needs: [],
  make: (app, { priority = 'high', first_response_minutes = null, resolution_minutes = null, workspace_id }) =>
    setSlaPolicy(app, { workspace_id, priority, first_response_minutes, resolution_minutes }),
})

const tagsIt: Action[] = [{ type: 'add_tag', tag: 'new' }]

/** A rule; without anything it tags every new ticket. */
export const rule = defineFactory({
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
