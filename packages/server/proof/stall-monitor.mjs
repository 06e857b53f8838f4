import { monitorEventLoopDelay } from 'node:perf_hooks'

// Loaded into the server's process. On a signal, it writes the longest stall since the last one to stderr.

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('SIGUSR2', () => {
  process.stderr.write(`stall ${delay.max / 1e6}\n`)
  delay.reset()
})
