import { toFrame } from '../frame.ts'
import { guessRecord } from '../heuristics/guess-record.ts'
import { at, has, isObject, type JsonObject, listOf, pick, textOf } from '../json.ts'
import { toRecord } from '../record.ts'
import { readStack } from '../stacks/index.ts'
import { chain, type Format } from './format.ts'

/** Old runtimes list frames as `[file, line, function, code]`, oldest first as Python has them. */
const tuples = (stack: unknown) =>
  listOf(stack)
    .filter((entry): entry is readonly unknown[] => Array.isArray(entry))
    .map(([file, line, name]) => toFrame({ file, line, function: name }))
    .reverse()

const isFailure = (value: unknown): value is JsonObject =>
  has(value, 'errorMessage') && (has(value, 'errorType') || has(value, 'stackTrace') || has(value, 'trace'))

/** A function that ended before it could throw has no class. */
const isExit = (report: JsonObject): boolean =>
  has(report['responseContext'], 'functionError') && has(report['responsePayload'], 'errorMessage')

/** Node's lines come without the `at` in front of them. */
const withAt = (line: string): string =>
  /^[^\s()]{1,300} \([^()]{1,600}:\d{1,9}:\d{1,9}\)$/.test(line) ? `    at ${line}` : line

/** The failure itself, in the log line of a function, or in what a destination was told. */
const failureOf = (report: JsonObject): unknown =>
  isExit(report)
    ? report['responsePayload']
    : [report, report['message'], report['responsePayload'], report['record'], at(report, 'detail')].find(isFailure)

export const awsLambda: Format = {
  name: 'aws-lambda',
  about: {
    title: 'AWS Lambda',
    by: '`errorMessage` with `errorType` or a trace; in `message` or `responsePayload` too',
    message: '`errorMessage`',
    exception: '`errorType`',
    place: '`trace`, `stackTrace`, `stack`',
    context: '`functionName` · – · `level`',
  },
  recognises: (report) => failureOf(report) !== undefined,
  read: (report) => {
    const failure = failureOf(report)
    const reason = pick(failure, 'reason')
    const error = isObject(reason) && has(reason, 'errorMessage') ? reason : failure
    const stack = pick(error, 'stackTrace', 'trace', 'stack') ?? pick(failure, 'stackTrace', 'trace', 'stack')
    const text = Array.isArray(stack)
      ? stack
          .filter((line) => typeof line === 'string')
          .map(withAt)
          .join('\n')
      : stack
    const listed = tuples(stack)
    // Others use the same names, and say more.
    const { app, environment, url, method, status, severity, file, line } =
      failure === report ? guessRecord(report) : {}
    const place = stack === undefined ? { file, line } : {}
    return [
      toRecord({
        message: pick(error, 'errorMessage'),
        exception: pick(error, 'errorType', 'errorCode') ?? readStack(text)?.exception,
        frames: listed,
        stack: text,
        ...place,
        app: textOf(pick(report, 'functionName', 'function_name')) ?? app,
        environment,
        url,
        method,
        severity: pick(report, 'level') ?? severity,
        status: pick(report, 'statusCode', 'httpStatusCode') ?? status,
        causes: chain(error, 'cause').map((cause) => ({
          exception: cause['errorType'],
          message: cause['errorMessage'],
        })),
      }),
    ]
  },
}
