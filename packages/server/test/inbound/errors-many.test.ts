import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { startOpenSite } from './inbound-site.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const report = (index: number) => ({
  message: `Broken in ${index.toString(36)}`,
  exception: `App.Error${String.fromCharCode(65 + (index % 26))}`,
  file: `src/file${String.fromCharCode(97 + (index % 26))}${index % 40}.ts`,
  stack: `Error: x\n${'    at work (/app/src/work.ts:1:3)\n'.repeat(12)}`,
})

onEveryStore(
  'a body of many error reports',
  (start) => {
    async function startPosting() {
      const { server, workspaceId, secrets } = await startOpenSite(start)
      const post = (body: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
        server.fetch(`http://platform.example/api/webhooks/${workspaceId}/errors`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-service-webhook-secret': secrets.errors, ...more },
          body,
        })
      return { server, workspaceId, post }
    }

    test('does not block other requests while it is read and stored, and is stored completely', async () => {
      const { server, workspaceId, post } = await startPosting()
      const reports = Array.from({ length: 1000 }, (_, index) => report(index))
      let isAnswered = false
      let pings = 0
      const answering = post(Buffer.from(JSON.stringify(reports))).finally(() => {
        isAnswered = true
      })
      while (!isAnswered) {
        expect((await server.fetch('http://platform.example/livez')).status).toBe(200)
        await nextTurn()
        pings += 1
      }
      expect((await answering).status).toBe(200)
      expect(
        (await server.admin.errorReports.list({ workspace: workspaceId }, { limit: 200 }).all()).length,
      ).toBeGreaterThan(10)
      // If it were read and stored in one turn, only one or two requests would be answered meanwhile.
      expect(pings).toBeGreaterThan(8)
    })

    test('is refused by its decompressed size, like an uncompressed body', async () => {
      const { post } = await startPosting()
      const tooMany = Buffer.from(JSON.stringify(Array.from({ length: 1001 }, (_, index) => report(index))))
      const bomb = gzipSync(Buffer.alloc(5_000_000, 0x20))
      const answers = [await post(tooMany), await post(bomb, { 'content-encoding': 'gzip' })]
      expect(answers.map(({ status }) => status)).toEqual([413, 413])
      expect(await answers[1]?.json()).toEqual({
        message: 'The decompressed request body must not be larger than 4194304 bytes.',
      })
    })

    test('is read equally in process and in the worker thread', async () => {
      const { server, workspaceId, post } = await startPosting()
      const plain = { ...report(1), context: 'small' }
      const packed = gzipSync(Buffer.from(JSON.stringify({ ...report(1), context: 'x'.repeat(200_000) })))
      const first = await (await post(Buffer.from(JSON.stringify(plain)))).json()
      const second = await (await post(packed, { 'content-encoding': 'gzip' })).json()
      expect(second).toEqual({ ...first, ticket_created: false })
      expect((await server.admin.errorReports.list({ workspace: workspaceId })).data).toMatchObject([{ count: 2 }])
    })
  },
  ['memory', 'sqlite'],
)
