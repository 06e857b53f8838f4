import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { chain, type Format, type FrameKeys, readFrames } from './format.ts'

const causesOf = (error: unknown) =>
  chain(error, 'InnerException', 'innerException', 'inner').map((cause) => ({
    exception: pick(cause, 'ExceptionType', 'ClassName', 'Type', 'type'),
    message: pick(cause, 'ExceptionMessage', 'Message', 'message'),
  }))

/** ASP.NET Web API 2: `Message` is a courtesy, `ExceptionMessage` what happened. */
export const aspNetWebApi: Format = {
  name: 'aspnet-web-api',
  about: {
    title: 'ASP.NET Web API',
    by: '`ExceptionMessage`',
    message: '`ExceptionMessage`',
    exception: '`ExceptionType`',
    place: '`StackTrace`',
    context: '–',
  },
  recognises: (report) =>
    has(report, 'ExceptionMessage') || (has(report, 'ExceptionType') && has(report, 'StackTrace')),
  read: (report) => {
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        message: pick(report, 'ExceptionMessage', 'Message'),
        exception: pick(report, 'ExceptionType'),
        stack: pick(report, 'StackTrace') ?? found.stack,
        causes: causesOf(report),
      }),
    ]
  },
}

const property = (report: JsonObject, ...names: readonly string[]): unknown =>
  pick(report['Properties'], ...names) ?? pick(report, ...names)

/** The compact form leaves the level out where it is `Information`. */
const impliedLevel = (report: JsonObject) =>
  has(report, '@t') && !has(report, '@x') && (has(report, '@mt') || has(report, '@m')) ? 'info' : null

/** Serilog: compact (`@m`, `@x`), or written out (`RenderedMessage`, `Exception`). */
export const serilog: Format = {
  name: 'serilog',
  about: {
    title: 'Serilog',
    by: '`@mt`, `@m`, `MessageTemplate`',
    message: '`@m`, `RenderedMessage`',
    exception: 'first line of `@x`, `Exception`',
    place: 'same',
    context: '`Application` · `Environment` · `@l`, `Level`; compact lines without a level are `info`',
  },
  recognises: (report) =>
    has(report, '@mt') ||
    has(report, '@m') ||
    has(report, 'MessageTemplate') ||
    (has(report, '@t') && has(report, '@x')),
  read: (report) => {
    const found = guessRecord(report)
    return [
      toRecord({
        ...found,
        message: pick(report, '@m', 'RenderedMessage', '@mt', 'MessageTemplate'),
        stack: pick(report, '@x', 'Exception'),
        severity: pick(report, '@l', 'Level') ?? found.severity ?? impliedLevel(report),
        url: property(report, 'RequestPath', 'Url') ?? found.url,
        method: property(report, 'RequestMethod', 'Method') ?? found.method,
        status: property(report, 'StatusCode') ?? found.status,
        app: textOf(property(report, 'Application', 'ApplicationName', 'app', 'ServiceName')),
        environment: textOf(property(report, 'Environment', 'EnvironmentName', 'env', 'ASPNETCORE_ENVIRONMENT')),
      }),
    ]
  },
}

const frameKeys: FrameKeys = { first: 'newest', file: ['fileName'], line: ['line'], function: ['method'] }

const insightsData = (report: JsonObject): unknown => at(report, 'data', 'baseData')

/** Azure Application Insights. The first exception was raised; its causes follow. */
export const applicationInsights: Format = {
  name: 'application-insights',
  about: {
    title: 'Application Insights',
    by: '`data.baseType` and `data.baseData`',
    message: '`exceptions[0].message`',
    exception: '`typeName`',
    place: '`parsedStack`, `stack`',
    context: '`ai.cloud.role` · – · `severityLevel`',
  },
  recognises: (report) => isObject(insightsData(report)) && typeof at(report, 'data', 'baseType') === 'string',
  read: (report) => {
    const data = insightsData(report)
    const type = at(report, 'data', 'baseType')
    const context = {
      app: at(report, 'tags', 'ai.cloud.role'),
      severity: at(data, 'severityLevel'),
      severityScale: 'insights',
    } as const
    if (type === 'MessageData') return [toRecord({ ...context, message: pick(data, 'message') })]
    if (type !== 'ExceptionData') return []
    const [raised, ...causes] = objectsOf(at(data, 'exceptions'))
    return [
      toRecord({
        message: pick(raised, 'message'),
        exception: pick(raised, 'typeName'),
        frames: readFrames(pick(raised, 'parsedStack'), frameKeys),
        stack: pick(raised, 'stack'),
        ...context,
        fingerprint: at(data, 'problemId'),
        causes: causes.map((cause) => ({ exception: cause['typeName'], message: cause['message'] })),
      }),
    ]
  },
}
