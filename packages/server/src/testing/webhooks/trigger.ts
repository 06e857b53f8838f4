import type { EventName, EventOf } from '@service/contract'
import type { App } from '../../context.ts'
import type { TriggerOverrides } from '../../modules/webhooks/trigger-input.ts'
import { createWorkspace, listWorkspaces } from '../../modules/workspaces/service.ts'

/** Has an event happen to a real object, whose id can be read; gives back what is sent. */
export type TriggerEvent = <Name extends EventName>(
  event: Name,
  /** Values of its object, where they stand in the event: `{ task: { title: 'Call back' } }`; with an id, of that one. */
  overrides?: TriggerOverrides & { readonly workspace_id?: number },
) => Promise<{ readonly [Each in Name]: EventOf<Each> }[Name]>

export const createTrigger =
  (app: App): TriggerEvent =>
  async (event, { workspace_id, ...overrides } = {}) => {
    const { checkTrigger, trigger } = await import('../../modules/webhooks/trigger-service.ts')
    const asked = { ...checkTrigger({ event, overrides }), event }
    return trigger(app, workspace_id ?? (await anyWorkspace(app)), asked)
  }

/** The first one; a server that has none gets one. */
async function anyWorkspace(app: App): Promise<number> {
  const [first] = await listWorkspaces(app)
  return (first ?? (await createWorkspace(app, { name: 'Triggered', time_zone: 'UTC' }))).id
}
