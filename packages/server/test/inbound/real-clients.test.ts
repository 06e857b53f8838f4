import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import * as Sentry from '@sentry/node'
import { afterEach, expect, test, vi } from 'vitest'
import winston from 'winston'
import { onEveryStore, type Start } from '../on-every-store.ts'
import { startOpenSite } from './inbound-site.ts'

// Third-party clients, configured as in docs/error-formats.md.

class NoCart extends Error {
  override readonly name = 'NoCart'
}

afterEach(() => {
  vi.unstubAllEnvs()
})

onEveryStore(
  'a real client',
  (start: Start) => {
    async function startListening() {
      const site = await startOpenSite(start)
      const { server, workspaceId: workspace, secrets } = site
      const { url } = await server.listen()
      const address = new URL(`/api/webhooks/${workspace}/errors`, url)
      const groups = async () => (await server.admin.errorReports.list({ workspace })).data
      return {
        address,
        secret: secrets.errors,
        groups,
        tickets: async () => (await server.admin.tickets.list({ workspace })).data,
      }
    }

    test('of Sentry reports through its tunnel', async () => {
      const { address, secret, groups, tickets } = await startListening()
      Sentry.init({
        dsn: 'https://any@sentry.invalid/1',
        tunnel: address.href,
        transportOptions: { headers: { 'X-Service-Webhook-Secret': secret } },
        environment: 'production',
        defaultIntegrations: false,
      })
      Sentry.captureException(new NoCart('no cart of ann'))
      Sentry.captureMessage('cart viewed', 'info')
      await Sentry.close(5_000)
      expect(await groups()).toMatchObject([
        {
          exception: 'NoCart',
          message: 'no cart of ann',
          file: expect.stringContaining('real-clients.test.ts'),
          environment: 'production',
          framework: 'node',
          count: 1,
        },
      ])
      expect(await tickets()).toMatchObject([{ title: 'NoCart: no cart of ann', priority: 'high' }])
    })

    test('of winston reports through its HTTP transport', async () => {
      const { address, secret, groups, tickets } = await startListening()
      const transport = new winston.transports.Http({
        host: address.hostname,
        port: Number(address.port),
        path: address.pathname,
        headers: { 'X-Service-Webhook-Secret': secret },
      })
      const format = winston.format.combine(winston.format.errors({ stack: true }), winston.format.json())
      const logger = winston.createLogger({ format, defaultMeta: { service: 'shop' }, transports: [transport] })
      logger.info('cart viewed')
      logger.error(new NoCart('no cart of ann'))
      await expect.poll(groups).toMatchObject([
        {
          exception: 'NoCart',
          message: 'no cart of ann',
          file: expect.stringContaining('real-clients.test.ts'),
          app: 'shop',
          severity: 'error',
        },
      ])
      expect(await tickets()).toHaveLength(1)
    })

    test('of OpenTelemetry reports with its environment variables', async () => {
      const { address, secret, groups, tickets } = await startListening()
      vi.stubEnv('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT', address.href)
      vi.stubEnv('OTEL_EXPORTER_OTLP_LOGS_HEADERS', `x-service-webhook-secret=${secret}`)
      const provider = new LoggerProvider({
        processors: [new SimpleLogRecordProcessor({ exporter: new OTLPLogExporter() })],
      })
      const logger = provider.getLogger('shop')
      const fault = new NoCart('no cart of ann')
      logger.emit({ severityNumber: 9, body: 'cart viewed' })
      logger.emit({
        severityNumber: 17,
        body: 'the payment failed',
        attributes: {
          'exception.type': fault.name,
          'exception.message': fault.message,
          'exception.stacktrace': fault.stack ?? '',
        },
      })
      await provider.forceFlush()
      await provider.shutdown()
      await expect.poll(groups).toMatchObject([
        {
          exception: 'NoCart',
          message: 'no cart of ann',
          file: expect.stringContaining('real-clients.test.ts'),
          severity: 'error',
        },
      ])
      expect(await tickets()).toHaveLength(1)
    })
  },
  ['memory', 'sqlite'],
)
