import { expect, test } from 'vitest'
import { microsPerSecond } from '../../src/core/clock.ts'
import { onEveryStore } from '../on-every-store.ts'
import { holdingReply, startReceiver, status } from './receiver.ts'
import { addChecklist, checklistEvents, sendingOptions, subscribe, subscribeReceiver } from './subscribed.ts'

const onceIsEnough = ['memory'] as const // nothing here depends on the SQL

onEveryStore(
  'the slots of a worker',
  (start) => {
    test('are assigned round-robin: a freed slot goes to a queue that has none', async () => {
      const server = await start(sendingOptions())
      const { reply, answer, answerAll } = holdingReply()
      const { receiver, workspace } = await subscribe(server, { reply, events: ['message.created'] })
      const paths = Array.from({ length: 33 }, (_, index) => `/${index}`)
      for (const path of paths)
        await subscribeReceiver(server, receiver, { workspace: workspace.id, url: receiver.url + path })
      await addChecklist(server, workspace.id)
      await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
      // Each of 32 queues has eight requests in flight and four more deliveries ready.
      await expect.poll(() => receiver.received.length).toBe(256)
      const countOf = (path: string) => receiver.received.filter((one) => one.path === path).length
      const [waiting = ''] = paths.filter((path) => countOf(path) === 0)
      for (const count of [1, 2, 3]) {
        answer(204)
        await expect.poll(() => receiver.received.length).toBe(256 + count)
        expect(countOf(waiting)).toBe(count)
      }
      answerAll()
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(paths.length * checklistEvents)
    })

    test('are used in event order once a subscription is set to FIFO, even by deliveries fetched before', async () => {
      const options = sendingOptions()
      const server = await start(options)
      const { reply, answerAll } = holdingReply()
      let respond = status(500)
      const { receiver, workspace, place, createTicket } = await subscribe(server, {
        events: ['ticket.created', 'task.created'],
        reply: (...all) => respond(...all),
      })
      const other = await startReceiver()
      await subscribeReceiver(server, other, { workspace: workspace.id, events: ['message.created'] })
      const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'ops' })
      await createTicket('fails at first')
      await server.deliveries.runDue()
      respond = reply
      options.clock.advance(10 * microsPerSecond)
      await addChecklist(server, workspace.id)
      await createTicket('A')
      // Four are in flight. Eight new deliveries wait, followed by the failed one.
      await expect.poll(() => receiver.received.length).toBe(5)
      await server.admin.webhooks.update(place, { fifo: true })
      // The iteration that sends this message has already read the setting.
      await server.admin.messages.create({ workspace: workspace.id }, { channel_id: channel.id, body: 'm' })
      await expect.poll(() => other.received.length).toBe(1)
      answerAll()
      await server.deliveries.runDue()
      const sequence = receiver.received.map(({ headers }) => Number(headers['x-service-sequence']))
      const inOrder = sequence.slice(5)
      expect(inOrder[0]).toBe(sequence[0])
      expect(inOrder).toEqual(inOrder.toSorted((one, next) => one - next))
      expect(receiver.received).toHaveLength(checklistEvents + 2)
    })

    test('are not leaked by prefetched deliveries of a queue that was released during its pause', async () => {
      const options = sendingOptions()
      const server = await start(options)
      const { receiver, workspace } = await subscribe(server, { events: ['message.created'], rate_per_minute: 60 })
      const channel = await server.admin.channels.create({ workspace: workspace.id }, { name: 'ops' })
      // Eight are fetched at a time and one is sent. A worker holds at most 16 MiB of such bodies.
      const bodyOf = (index: number) => '€'.repeat(index < 45 ? 20_000 : 60_000)
      const count = 47
      for (let index = 0; index < count; index += 1)
        await server.admin.messages.create({ workspace: workspace.id }, { channel_id: channel.id, body: bodyOf(index) })
      for (let second = 0; second < count; second += 1) {
        await server.deliveries.runDue()
        options.clock.advance(microsPerSecond)
      }
      expect(receiver.received).toHaveLength(count)
    })
  },
  onceIsEnough,
)

onEveryStore(
  'the slots of a worker with several workspaces',
  (start) => {
    test('are reserved in part: a workspace whose many receivers do not answer does not delay another', async () => {
      const options = sendingOptions()
      const server = await start({ ...options, rateLimit: 'off' })
      const { reply, answerAll } = holdingReply()
      const { receiver, workspace } = await subscribe(server, { reply, events: ['message.created'] })
      for (let index = 0; index < 300; index += 1)
        await subscribeReceiver(server, receiver, { workspace: workspace.id, url: `${receiver.url}/${index}` })
      await addChecklist(server, workspace.id)
      await server.admin.tickets.create({ workspace: workspace.id }, { title: 'A' })
      await expect.poll(() => receiver.received.length).toBe(256)
      const neighbor = await subscribe(server, { events: ['ticket.created'] })
      await neighbor.createTickets(10)
      // Until then, a full worker leaves the queue to others.
      options.clock.advance(microsPerSecond)
      await expect.poll(() => neighbor.receiver.received.length).toBe(10)
      expect(receiver.received).toHaveLength(256)
      answerAll()
      await server.deliveries.runDue()
      expect(receiver.received).toHaveLength(300 * checklistEvents)
    })
  },
  ['memory', 'postgres'],
)
