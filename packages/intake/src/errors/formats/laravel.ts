import { type Frame, toFrame } from '../frame.ts'
import { guessRecord } from '../heuristics/guess-record.ts'
import { has, objectsOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { type Format, type FrameKeys, readFrames } from './format.ts'

const frameKeys: FrameKeys = { first: 'newest', file: ['file'], line: ['line'], function: ['function'] }

/** Laravel and Symfony's API debug output name the place first and leave it out of the trace. */
const framesOf = (report: Parameters<Format['read']>[0]): Frame[] => [
  toFrame({ file: report['file'], line: report['line'] }),
  ...readFrames(report['trace'], frameKeys),
]

const isLaravel = (report: Parameters<Format['read']>[0], frames: readonly Frame[]): boolean =>
  textOf(report['exception'])?.startsWith('Illuminate\\') === true ||
  frames.some((frame) => frame.file !== null && /[\\/]laravel[\\/]framework[\\/]/.test(frame.file))

/** What Laravel answers while debugging is on: the class as text and the trace as a list. */
export const laravel: Format = {
  name: 'laravel',
  about: {
    title: 'Laravel, debugging',
    by: '`exception` text, `file`, `trace[]`',
    message: '`message`',
    exception: '`exception`',
    place: '`file`, `line`',
    context: 'as in the generic reader',
  },
  recognises: (report) =>
    typeof report['exception'] === 'string' && has(report, 'file') && objectsOf(report['trace']).length > 0,
  read: (report) => {
    const frames = framesOf(report)
    const framework = pick(report, 'framework') ?? (isLaravel(report, frames) ? 'laravel' : null)
    return [
      toRecord({
        ...guessRecord(report),
        file: report['file'],
        line: report['line'],
        stack: null,
        frames,
        framework,
      }),
    ]
  },
}
