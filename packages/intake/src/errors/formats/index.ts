import type { JsonObject } from '../json.ts'
import type { ErrorRecord } from '../record.ts'
import { readUnread } from '../unread.ts'
import { airbrake } from './airbrake.ts'
import { airbrakeXml } from './airbrake-xml.ts'
import { alertFormats } from './alerts/index.ts'
import { watcher } from './alerts/watcher.ts'
import { feathers, flask, graphql, jsonApi, jsonRpc } from './api-errors.ts'
import { awsLambda } from './aws-lambda.ts'
import { cspReport, faro, reportingApi, windowError } from './browser-reports.ts'
import { bugsnag, bugsnagWebhook } from './bugsnag.ts'
import { candidatesAmong } from './candidates.ts'
import { chatAlert } from './chat-alerts.ts'
import { applicationInsights, aspNetWebApi, serilog } from './dotnet.ts'
import { cloudflareWorker, netlifyLog, vercelLog } from './edge-platforms.ts'
import { elasticApm, elasticRum } from './elastic-apm.ts'
import { exceptionless } from './exceptionless.ts'
import { fastapiValidation } from './fastapi.ts'
import { flare } from './flare.ts'
import { flat } from './flat.ts'
import type { Format } from './format.ts'
import { generic } from './generic.ts'
import { googleErrorNotification, googleErrorReporting, googleLogEntry } from './google-cloud.ts'
import { honeybadger, honeybadgerWebhook } from './honeybadger.ts'
import { kubernetesEvent } from './kubernetes-event.ts'
import { laravel } from './laravel.ts'
import { datadog, ecs, gelf } from './log-pipelines.ts'
import { loki, newRelicLogs } from './log-shippers.ts'
import { monolog } from './monolog.ts'
import { boom, nextOnRequestError, pino, tslog } from './node-logs.ts'
import { otlp } from './otlp.ts'
import { posthog } from './posthog.ts'
import { problemDetails } from './problem-details.ts'
import { loguru, pythonJsonLogger, structlog } from './python-logs.ts'
import { railsDebug, railsExceptionNotification } from './rails.ts'
import { raygun } from './raygun.ts'
import { rollbar, rollbarWebhook } from './rollbar.ts'
import { sentry } from './sentry.ts'
import { sentryWebhook } from './sentry-webhook.ts'
import { springBoot } from './spring-boot.ts'

/**
 * Tried in this order; the first that recognises the report reads it. A new format is one file and one line here: above
 * those whose shape is contained in its own.
 */
export const formats: readonly Format[] = [
  flat,
  ...alertFormats,
  // Trackers, each with a shape of its own.
  posthog,
  bugsnag,
  bugsnagWebhook,
  rollbarWebhook,
  rollbar,
  airbrake,
  airbrakeXml,
  honeybadger,
  honeybadgerWebhook,
  raygun,
  elasticApm,
  elasticRum,
  flare,
  exceptionless,
  applicationInsights,
  faro,
  otlp,
  sentryWebhook,
  // Platforms and browsers.
  cloudflareWorker,
  vercelLog,
  netlifyLog,
  cspReport,
  reportingApi,
  googleErrorNotification,
  googleLogEntry,
  googleErrorReporting,
  awsLambda,
  kubernetesEvent,
  loki,
  newRelicLogs,
  // Frameworks and loggers.
  railsExceptionNotification,
  railsDebug,
  laravel,
  monolog,
  pythonJsonLogger,
  loguru,
  nextOnRequestError,
  pino,
  serilog,
  aspNetWebApi,
  gelf,
  ecs,
  datadog,
  sentry,
  structlog,
  springBoot,
  fastapiValidation,
  graphql,
  jsonRpc,
  problemDetails,
  jsonApi,
  flask,
  feathers,
  boom,
  windowError,
  tslog,
  watcher,
  chatAlert,
  generic,
]

const candidatesFor = candidatesAmong(formats)

export const formatOf = (report: JsonObject): Format =>
  candidatesFor(report).find((format) => format.recognises(report)) ?? generic

/** A record, and the name of the format that it was read as. */
export type ReadRecord = { readonly record: ErrorRecord; readonly format: string }

const isWordless = ({ message, exception }: ErrorRecord) => message === null && exception === null

export const readReport = (report: JsonObject): readonly ReadRecord[] => {
  const format = formatOf(report)
  return format.read(report).map((record) => ({
    format: format.name,
    record: isWordless(record) ? { ...record, unread: readUnread(report) } : record,
  }))
}
