import type { EventName } from '@service/client/admin'
import type { App } from '../../core/context.ts'
import type { TriggerOverrides } from '../../modules/webhooks/trigger-input.ts'
import { createWorkspace, getWorkspace, listWorkspaces, type Workspace } from '../../modules/workspaces/service.ts'
import type { EventPayload } from './captured-event.ts'

/** Has an event happen to a real object, whose id can be read; gives back what is sent. */
export type TriggerEvent = <Name extends EventName>(
  event: Name,
  /** With an id, of the object that has it. */
  overrides?: TriggerOverrides & { readonly workspace_id?: number },
) => Promise<EventPayload<Name>>

export const createTrigger =
  (app: App): TriggerEvent =>
  async (event, { workspace_id, ...overrides } = {}) => {
    const { checkTrigger, trigger } = await import('../../modules/webhooks/trigger-service.ts')
    const asked = { ...checkTrigger({ event, overrides }), event }
    const { id } = await (workspace_id === undefined ? anyWorkspace(app) : getWorkspace(app, workspace_id))
    const sent: unknown = await trigger(app, id, asked)
    return sent as EventPayload<typeof event> // the contract's payload, spelled out: `public-types.test.ts` compares the two
  }

/** The first one; a server that has none gets one. */
async function anyWorkspace(app: App): Promise<Workspace> {
  const [first] = await listWorkspaces(app)
  return first ?? createWorkspace(app, { name: 'Triggered', time_zone: 'UTC' })
}
