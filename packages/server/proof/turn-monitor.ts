import { isMainThread } from 'node:worker_threads'

// Loaded into a server that is measured. Finds the turn of the event loop that took most CPU: on a machine that does much
// else, how long others waited says more about the machine than about the server.

function watchTurns(): void {
  let longestMs = 0
  let before = process.threadCpuUsage()
  // A timer comes once in each turn, and what is waited for between two turns takes no CPU.
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1000)
    before = process.threadCpuUsage()
  }
  setInterval(tick, 1).unref()
  process.on('message', (message) => {
    if (message !== 'longest turn') return
    process.send?.(longestMs)
    longestMs = 0
  })
  process.channel?.unref()
}

if (isMainThread) watchTurns()
