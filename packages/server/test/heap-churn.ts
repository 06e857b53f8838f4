import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'

// Loaded into `service-server start`: at SIGUSR2 it makes many objects of which many live for a while, as requests that
// wait for the disk do, and prints how many megabytes the young generation takes afterwards.

process.once('SIGUSR2', async () => {
  const kept: unknown[] = []
  for (let turn = 0; turn < 4_000; turn += 1) {
    for (let made = 0; made < 1_000; made += 1) kept[(turn * 1_000 + made) % 300_000] = { turn, text: `${made}` }
    await setImmediate()
  }
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  process.stdout.write(`${(young?.space_size ?? 0) / 2 ** 20}\n`)
})
