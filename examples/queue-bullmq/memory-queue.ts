import type { JobsOptions } from 'bullmq'

/** An in-memory queue that, like BullMQ, ignores jobs with a known id. */
export function createMemoryQueue() {
  const jobs = new Map<string, { readonly name: string; readonly data: unknown }>()
  let isDown = false
  return {
    jobs: () => [...jobs.values()],
    setDown(down: boolean) {
      isDown = down
    },
    async add(name: string, data: unknown, { jobId }: JobsOptions): Promise<void> {
      if (isDown) throw new Error('connect ECONNREFUSED 127.0.0.1:6379')
      const id = jobId ?? String(jobs.size)
      if (!jobs.has(id)) jobs.set(id, { name, data })
    },
  }
}
