import { webhookSecretHeader } from '@service/contract'
import type { IntegrationName } from '@service/contract/integration-names'

interface Sample {
  readonly language: string
  readonly code: string
}

interface SampleContext {
  /** The server's base URL. */
  readonly serverUrl: string
  readonly workspace: number
  readonly address: string
}

/** Code samples that send a first event. They read secrets from variables, so that none end up in source code. */
export function createSamples(name: IntegrationName, context: SampleContext): readonly Sample[] {
  if (name === 'errors') return errorSamples(context)
  if (name === 'attendance') return punchSamples(context)
  return [gitSteps[name](context)]
}

const curl = ({ address }: SampleContext, body: string) => ({
  language: 'curl',
  code: [
    `curl '${address}' \\`,
    `  -H "${webhookSecretHeader}: $SERVICE_SECRET" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n'),
})

const typescript = ({ serverUrl, workspace }: SampleContext, lines: readonly string[], secrets: string) => ({
  language: 'TypeScript',
  code: [
    `import { createInboundClient } from '@service/client/inbound'`,
    '',
    `const inbound = createInboundClient({`,
    `  webhookBaseUrl: '${serverUrl}/api',`,
    `  workspace: ${workspace},`,
    `  secrets: { ${secrets}: process.env.SERVICE_SECRET },`,
    `})`,
    ...lines,
  ].join('\n'),
})

const python = ({ address }: SampleContext, body: string) => ({
  language: 'Python',
  code: [
    `import os, requests`,
    '',
    `requests.post(`,
    `    '${address}',`,
    `    headers={'${webhookSecretHeader}': os.environ['SERVICE_SECRET']},`,
    `    json=${body},`,
    `)`,
  ].join('\n'),
})

const errorSamples = (context: SampleContext) => [
  curl(context, '{"message": "The first error", "exception": "RuntimeException", "app_name": "shop"}'),
  typescript(context, [`await inbound.errors.report(new Error('The first error'), { app_name: 'shop' })`], 'errors'),
  python(context, `{'message': 'The first error', 'exception': 'RuntimeError', 'app_name': 'shop'}`),
  {
    language: 'PHP',
    code: [
      `file_get_contents('${context.address}', false, stream_context_create(['http' => [`,
      `    'method' => 'POST',`,
      `    'header' => ['Content-Type: application/json', '${webhookSecretHeader}: ' . getenv('SERVICE_SECRET')],`,
      `    'content' => json_encode(['message' => 'The first error', 'app_name' => 'shop']),`,
      `]]));`,
    ].join('\n'),
  },
]

const punchSamples = (context: SampleContext) => [
  curl(context, '{"employee_code": "E-001", "external_device_id": "DOOR-1", "source_type": "door", "direction": "in"}'),
  typescript(
    context,
    [`await inbound.attendance.punch({ employee_code: 'E-001', external_device_id: 'DOOR-1', direction: 'in' })`],
    'attendance',
  ),
  python(context, `{'employee_code': 'E-001', 'external_device_id': 'DOOR-1', 'direction': 'in'}`),
]

const gitSteps = {
  github: ({ address }: SampleContext) => ({
    language: 'In the repository: Settings, Webhooks, Add webhook',
    code: [
      `Payload URL   ${address}`,
      'Content type  application/json',
      'Secret        the secret above',
      'Events        Send me everything',
    ].join('\n'),
  }),
  gitlab: ({ address }: SampleContext) => ({
    language: 'In the project: Settings, Webhooks, Add new webhook',
    code: [`URL           ${address}`, 'Secret token  the secret above', 'Trigger       the events to record'].join(
      '\n',
    ),
  }),
  bitbucket: ({ address }: SampleContext) => ({
    language: 'In the repository: Repository settings, Webhooks, Add webhook',
    code: [`URL       ${address}`, 'Secret    the secret above', 'Triggers  the events to record'].join('\n'),
  }),
} as const
