import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { onEveryStore } from '../on-every-store.ts'
import { startOpenSite } from './inbound-site.ts'

const report = { message: 'No cart abc12345 for status code 404', exception: 'LookupError', app_name: 'shop' }

onEveryStore('explaining an error report', (start) => {
  test('returns the reader, the parts of the key, and the ticket on which it would be counted', async () => {
    const { server, workspaceId: workspace, inbound } = await startOpenSite(start)
    const explain = async () => (await server.admin.errorReports.explain({ workspace }, { body: report })).data
    const [before] = await explain()
    expect(before).toMatchObject({
      format: 'documented',
      title: 'LookupError: No cart abc12345 for status code 404',
      level: 'error',
      recovered: false,
      opens_ticket: true,
      key_parts: [
        { name: 'app', value: 'shop' },
        { name: 'exception', value: 'LookupError' },
        { name: 'message', value: 'No cart # for status code 404' },
        { name: 'file', value: '' },
      ],
      message_rules: ['error codes', 'tokens', 'repeated marks'],
      ticket_id: null,
      record: { message: report.message },
    })
    const { ticket_id } = await inbound.errors.report({ ...report, message: 'No cart xyz98765 for status code 404' })
    expect(await explain()).toEqual([{ ...before, ticket_id }])
  })

  test('counts nothing and opens no ticket', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    await server.admin.errorReports.explain({ workspace }, { body: report })
    expect((await server.admin.errorReports.list({ workspace })).data).toEqual([])
    expect((await server.admin.tickets.list({ workspace })).data).toEqual([])
  })

  test('accepts text, compressed bodies, and reports below the level, with secrets masked', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const explain = async (input: { body: unknown; headers?: Record<string, string>; base64?: boolean }) =>
      (await server.admin.errorReports.explain({ workspace }, input)).data
    const quiet = '{"level":30,"time":1,"msg":"paid with password=hunter2"}\n{"level":50,"time":2,"msg":"no cart"}'
    expect(await explain({ body: quiet })).toMatchObject([
      { format: 'pino', level: 'info', opens_ticket: false, record: { message: 'paid with password=[masked]' } },
      { format: 'pino', level: 'error', opens_ticket: true },
    ])
    const body = gzipSync(JSON.stringify(report)).toString('base64')
    const headers = { 'content-encoding': 'gzip' }
    expect(await explain({ body, base64: true, headers })).toMatchObject([{ format: 'documented' }])
  })

  test('refuses bodies that the webhook refuses', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    const explain = (body: unknown) => server.admin.errorReports.explain({ workspace }, { body }).safe()
    expect(await explain('no report at all')).toMatchObject({ error: { status: 422 } })
    expect(await explain(7)).toMatchObject({ error: { status: 422 } })
  })
  test('refuses headers that HTTP does not allow', async () => {
    const { server, workspaceId: workspace } = await startOpenSite(start)
    for (const headers of [{ '': 'x' }, { 'a b': 'x' }, { 'x-\u0130': 'x' }, { 'x-a': '\u0130' }, { 'x-a': 'a\nb' }]) {
      const refused = server.admin.errorReports.explain({ workspace }, { body: report, headers })
      await expect(refused).rejects.toMatchObject({
        status: 422,
        errors: { headers: ['The headers field must have names and values that HTTP allows.'] },
      })
    }
  })
})
