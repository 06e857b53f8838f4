import type { PlatformServer } from '../../src/index.ts'

/** The newest delivery of a workspace, with its attempts from the first to the last. */
export async function newestDelivery(server: PlatformServer, workspace: { readonly id: number }) {
  const [delivery] = await server.admin.deliveries.list({ workspace_id: workspace.id })
  if (delivery === undefined) throw new Error('There is no delivery.')
  const attempts = await server.admin.deliveries.attempts({ workspace_id: workspace.id, id: delivery.id })
  return { ...delivery, log: attempts.toReversed() }
}
