import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

// Asks /livez all the time on one connection, in a thread of its own: the thread that sends large bodies is busy itself.

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const took: number[] = []

const ask = () =>
  new Promise<void>((resolve) => {
    const startedAt = performance.now()
    const finish = () => {
      took.push(performance.now() - startedAt)
      resolve()
    }
    get({ port: workerData, path: '/livez', agent }, (answer) => answer.resume().on('end', finish)).on('error', finish)
  })

let isOver = false
parentPort?.once('message', () => {
  isOver = true
})
await ask()
took.length = 0
parentPort?.postMessage('begun')
while (!isOver) {
  await ask()
  await new Promise((resolve) => setTimeout(resolve, 2))
}
parentPort?.postMessage(took)
agent.destroy()
