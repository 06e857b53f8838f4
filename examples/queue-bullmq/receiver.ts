import { createWebhookHandler, type EventOf } from '@service/webhooks'
import type { JobsOptions } from 'bullmq'

/** The method of BullMQ's `Queue` that the receiver uses. */
interface JobQueue {
  add(name: string, data: unknown, options: JobsOptions): Promise<unknown>
}

/**
 * Responds after the event is stored in the queue. If the queue is unavailable, the handler fails, and the platform
 * retries the delivery. BullMQ ignores a job whose id it already has, so a repeated delivery creates no second job.
 */
export function createReceiver({ secret, queue }: { readonly secret: string; readonly queue: JobQueue }) {
  const enqueue = ({ type, payload, delivery: { id } }: EventOf<'ticket.created' | 'ticket.resolved'>) =>
    queue.add(type, payload, {
      ...(id && { jobId: id }),
      attempts: 8,
      backoff: { type: 'exponential', delay: 1000 },
      removeOnComplete: { age: 7 * 24 * 3600 }, // seconds; a copy can arrive as long as the platform retries
    })
  return createWebhookHandler({ secret, on: { 'ticket.created': enqueue, 'ticket.resolved': enqueue } })
}
