import type { EventPattern } from '@service/client/admin'
import type { App, TxApp } from '../../context.ts'
import { createSubscription, getSubscription, listSubscriptions } from '../../modules/webhooks/service.ts'
import { deleteSubscription } from '../../modules/webhooks/subscription-service.ts'
import { getWorkspace, listWorkspaces } from '../../modules/workspaces/service.ts'
import { inTransaction } from '../../store/transaction.ts'

interface SubscriptionRef {
  readonly workspaceId: number
  readonly id: number
}

/** The subscriptions of an inbox, one per workspace. */
export interface InboxSubscriptions {
  readonly refs: readonly SubscriptionRef[]
  /** Subscribes in all covered workspaces that exist. */
  subscribeAll(): Promise<void>
  subscribe(app: TxApp, workspaceId: number): Promise<void>
  /** Reads them from a restored state. Returns false if it has none although there is a covered workspace. */
  findAgain(): Promise<boolean>
  remove(): Promise<void>
}

interface InboxSubscriptionsOptions {
  /** Unique on the server. */
  readonly url: string
  readonly secret: string
  readonly events: EventPattern[]
  /** The only workspace to cover. */
  readonly workspace: number | undefined
}

export function createInboxSubscriptions(
  app: App,
  { url, secret, events, workspace }: InboxSubscriptionsOptions,
): InboxSubscriptions {
  const refs: SubscriptionRef[] = []
  const settings = { url, events, standard_webhooks: true, description: 'Captured by a test' }
  const listCovered = async (app: App) =>
    workspace === undefined ? await listWorkspaces(app) : [await getWorkspace(app, workspace)]

  async function subscribe(app: TxApp, workspaceId: number): Promise<void> {
    const { id } = await createSubscription(app, { workspace_id: workspaceId, ...settings }, { secret })
    app.store.afterCommit(() => refs.push({ workspaceId, id }))
  }

  return {
    refs,
    subscribe,
    subscribeAll: () =>
      inTransaction(app, async (app) => {
        for (const { id } of await listCovered(app)) await subscribe(app, id)
      }),
    async findAgain() {
      refs.length = 0
      const workspaces = await listCovered(app).catch(() => undefined)
      for (const { id: workspaceId } of workspaces ?? []) {
        const { data } = await listSubscriptions(app, workspaceId, { search: url, limit: 1 })
        refs.push(...data.map(({ id }) => ({ workspaceId, id })))
      }
      // With no workspace yet, the inbox subscribes in the first one.
      return refs.length > 0 || workspaces?.length === 0
    },
    remove: () => inTransaction(app, (app) => unsubscribe(app, refs.splice(0), url)),
  }
}

/** After loading a state, another subscription may have one of these ids. */
async function unsubscribe(app: TxApp, refs: readonly SubscriptionRef[], url: string): Promise<void> {
  for (const ref of refs) {
    const found = await getSubscription(app, ref).catch(() => undefined)
    if (found?.url === url) await deleteSubscription(app, ref)
  }
}
