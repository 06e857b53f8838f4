import { at, has, isObject, type JsonObject, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = { first: 'newest', file: ['file'], line: ['number'], function: ['method'] }

/** An element is its text, unless it has attributes or children. */
const textIn = (element: unknown): string | null =>
  textOf(isObject(element) ? pick(element, 'text') : element)?.trim() ?? null

/** The variables that the request's CGI had. */
const variable = (request: unknown, name: string): string | null =>
  textIn(objectsOf(at(request, 'cgi-data', 'var')).find((entry) => entry['key'] === name))

/** The class stands before the message, as Ruby's clients write it. */
const withoutClass = (message: string | null, exception: string | null) =>
  exception !== null && message?.startsWith(`${exception}: `) ? message.slice(exception.length + 2) : message

const readNotice = (notice: JsonObject) => {
  const { error, request } = notice
  const exception = textIn(pick(error, 'class'))
  return toRecord({
    message: withoutClass(textIn(pick(error, 'message')), exception),
    exception,
    frames: readFrames(at(error, 'backtrace', 'line'), frameKeys),
    url: textIn(pick(request, 'url')),
    method: variable(request, 'REQUEST_METHOD'),
    framework: textIn(notice['framework']),
    environment: textIn(at(notice, 'server-environment', 'environment-name')),
    app: textIn(at(notice, 'server-environment', 'app-name')),
  })
}

/** Airbrake v2: XML, which Hoptoad's and Errbit's older clients send. */
export const airbrakeXml: Format = {
  name: 'airbrake-xml',
  about: {
    title: 'Airbrake v2 (XML)',
    by: '`<notice>` with an `<error>`',
    message: '`<message>` without its class',
    exception: '`<class>`',
    place: 'first `<line>` of the application',
    context: '`<app-name>` · `<environment-name>` · –; url, `REQUEST_METHOD`, framework',
  },
  recognises: ({ notice }) => isObject(notice) && has(notice, 'error'),
  read: ({ notice }) => (isObject(notice) ? [readNotice(notice)] : []),
}
