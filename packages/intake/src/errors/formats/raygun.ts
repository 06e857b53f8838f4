import { at, isObject, pick } from '../json.ts'
import { toRecord } from '../record.ts'
import { chain, type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = {
  first: 'newest',
  file: ['fileName'],
  line: ['lineNumber'],
  function: ['methodName', 'className'],
}

export const raygun: Format = {
  name: 'raygun',
  about: {
    title: 'Raygun',
    by: '`details.error`',
    message: '`message`',
    exception: '`className`',
    place: 'first frame',
    context: '–',
  },
  recognises: (report) => isObject(at(report, 'details', 'error')),
  read: ({ details }) => {
    const error = at(details, 'error')
    return [
      toRecord({
        message: pick(error, 'message'),
        exception: pick(error, 'className', 'name'),
        frames: readFrames(at(error, 'stackTrace'), frameKeys),
        url: at(details, 'request', 'url'),
        method: at(details, 'request', 'httpMethod'),
        fingerprint: pick(details, 'groupingKey'),
        status: at(details, 'response', 'statusCode'),
        causes: chain(error, 'innerError').map((cause) => ({
          exception: cause['className'],
          message: cause['message'],
        })),
      }),
    ]
  },
}
