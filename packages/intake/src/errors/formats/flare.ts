import { at, has, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['file', 'relative_file', 'relativeFile'],
  line: ['line_number', 'lineNumber'],
  function: ['method'],
  inApp: (frame) => pick(frame, 'application_frame', 'is_application_frame', 'isApplicationFrame', 'applicationFrame'),
}

/** Flare and Ignition: v1 in snake_case, v2 in camelCase with OpenTelemetry's attribute names. */
export const flare: Format = {
  name: 'flare',
  about: {
    title: 'Flare v1, v2',
    by: '`exception_class` or `exceptionClass` with a stack, context or attributes',
    message: '`message`',
    exception: 'the class',
    place: 'first application frame',
    context: '`service.name` · `stage`, `service.stage` · `message_level`',
  },
  recognises: (report) =>
    (has(report, 'exception_class') || has(report, 'exceptionClass')) &&
    (has(report, 'stacktrace') || has(report, 'context') || has(report, 'attributes')),
  read: (report) => {
    const { context, attributes } = report
    return [
      toRecord({
        message: pick(report, 'message'),
        exception: pick(report, 'exception_class', 'exceptionClass'),
        frames: readFrames(report['stacktrace'], frameKeys),
        url: at(context, 'request', 'url') ?? pick(attributes, 'url.full'),
        method: at(context, 'request', 'method') ?? pick(attributes, 'http.request.method'),
        status: pick(attributes, 'http.response.status_code'),
        framework: pick(attributes, 'flare.framework.name', 'flare.language.name') ?? pick(report, 'language'),
        environment: pick(report, 'stage') ?? pick(attributes, 'service.stage', 'deployment.environment.name'),
        app: pick(attributes, 'service.name'),
        severity: pick(report, 'message_level', 'messageLevel', 'level'),
        fingerprint: pick(report, 'overriddenGrouping') === undefined ? null : pick(report, 'fingerprint'),
      }),
    ]
  },
}
