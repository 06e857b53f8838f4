import type { Server } from '../../src/index.ts'

/** The newest delivery of a workspace, with its attempts from the first to the last. */
export async function newestDelivery(server: Server, workspace: { readonly id: number }) {
  const [delivery] = (await server.admin.deliveries.list({ workspace: workspace.id })).data
  if (delivery === undefined) throw new Error('There is no delivery.')
  const attempts = (await server.admin.deliveries.attempts({ workspace: workspace.id, id: delivery.id })).data
  return { ...delivery, log: attempts.toReversed() }
}
