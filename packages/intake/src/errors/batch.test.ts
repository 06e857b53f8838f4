import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UnreadableBody } from '../sanitize/decode.ts'
import { readErrorReports, readFormattedReports } from './read-error-reports.ts'

const encode = (body: unknown) => new TextEncoder().encode(JSON.stringify(body))
const read = (body: unknown) => readErrorReports({ body: encode(body), headers: new Headers() })

const stack = 'TypeError: no cart\n    at pay (/srv/cart.js:3:4)'

describe('a batch of log lines', () => {
  it.each([
    [
      'LogDNA',
      { e: 'ls', ls: [{ line: 'the queue is stuck', level: 'ERROR', app: 'worker' }] },
      { message: 'the queue is stuck', app: 'worker', severity: 'error' },
    ],
    [
      'LogDNA, with what was handed to the logger',
      { ls: [{ line: 'no cart here', level: 'ERROR', meta: JSON.stringify({ stack }) }] },
      { exception: 'TypeError', file: '/srv/cart.js', line: 3 },
    ],
    [
      'Seq',
      {
        Events: [
          {
            Level: 'Error',
            MessageTemplate: 'Order {Id} failed',
            Exception: stack,
            Properties: { Application: 'shop' },
          },
        ],
      },
      { exception: 'TypeError', file: '/srv/cart.js', app: 'shop', severity: 'error' },
    ],
    [
      'a shipper that names the service once',
      { service: 'shop', entries: [{ msg: 'no cart', level: 'fatal' }] },
      { message: 'no cart', app: 'shop', severity: 'fatal' },
    ],
    [
      'a sender with an unknown list name',
      { search: 'errors', hits_of_today: [{ text: 'none left', severity: 'error', program: 'stock' }] },
      { message: 'none left', app: 'stock', severity: 'error' },
    ],
    [
      'a carrier with the list below its data',
      { id: 7, data: { events: [{ message: 'none left', level: 'error' }] } },
      { message: 'none left', severity: 'error' },
    ],
  ])('of %s is read line by line', (_, body, expected) => {
    expect(read(body)).toEqual([expect.objectContaining(expected)])
  })

  it('uses a reader per line', () => {
    const body = {
      records: [
        { '@mt': 'no {What}', '@l': 'Error' },
        { level: 50, msg: 'no cart', time: 1 },
      ],
    }
    const formats = readFormattedReports({ body: encode(body), headers: new Headers() }).reports.map(
      ({ format }) => format,
    )
    expect(formats).toEqual(['serilog', 'pino'])
  })

  it('is one report if the body itself has a stack', () => {
    expect(read({ stack_trace: stack, logs: [{ message: 'paying', timestamp: 1 }] })).toEqual([
      expect.objectContaining({ message: 'no cart', exception: 'TypeError' }),
    ])
  })

  it('is one report if the body itself has a message', () => {
    expect(read({ message: 'no cart', events: [{ message: 'clicked' }, { message: 'typed' }] })).toHaveLength(1)
  })

  it('is refused beyond the limit of reports', () => {
    const entries = Array.from({ length: 1_001 }, () => ({ msg: 'x y' }))
    expect(() => read({ entries })).toThrow(new UnreadableBody('The body carries more than 1000 reports.', 'too_large'))
  })

  it('of CloudWatch Logs is unwrapped, and a control message has no reports', () => {
    const packed = (batch: object) => ({ awslogs: { data: gzipSync(JSON.stringify(batch)).toString('base64') } })
    const logEvents = [
      { id: '1', timestamp: 1, message: '[ERROR] no cart' },
      { id: '2', timestamp: 2, message: JSON.stringify({ level: 'warn', msg: 'slow' }) },
      { id: '3', timestamp: 3, message: 'INFO: started' },
    ]
    const records = read(packed({ messageType: 'DATA_MESSAGE', logGroup: '/aws/lambda/pay', logEvents }))
    expect(records.map(({ message, severity, app }) => [message, severity, app])).toEqual([
      ['[ERROR] no cart', 'error', 'pay'],
      ['slow', 'warning', 'pay'],
      ['INFO: started', 'info', 'pay'],
    ])
    expect(read({ messageType: 'DATA_MESSAGE', logGroup: '/aws/lambda/pay', logEvents })).toEqual(records)
    expect(read(packed({ messageType: 'CONTROL_MESSAGE', logEvents }))).toEqual([])
    expect(read({ messageType: 'CONTROL_MESSAGE', logEvents: [] })).toEqual([])
    expect(() => read({ awslogs: { data: 'bm8gbG9ncw==' } })).toThrow(
      new UnreadableBody('The field awslogs.data must hold JSON, packed by gzip.'),
    )
  })

  it('of a Lambda function has the error in the last column', () => {
    const failure = {
      errorType: 'StockError',
      errorMessage: 'none left',
      stack: ['StockError: none left', '    at take (/var/task/stock.js:9:5)'],
    }
    const message = `2026-11-20T10:00:00.000Z\t5f0e\tERROR\tInvoke Error \t${JSON.stringify(failure)}\n`
    const logEvents = [{ message }, { message: 'told {"errorType":"none"}\t{"errorType":' }]
    expect(read({ messageType: 'DATA_MESSAGE', logGroup: '/aws/lambda/pay', logEvents })).toMatchObject([
      {
        message: 'none left',
        exception: 'StockError',
        file: '/var/task/stock.js',
        line: 9,
        severity: 'error',
        app: 'pay',
      },
      { message: 'told {"errorType":"none"}\t{"errorType":', exception: null },
    ])
  })

  it('of a Lambda function has no errors in the lines around each invocation', () => {
    const lines = [
      'START RequestId: 5f0e Version: $LATEST',
      'END RequestId: 5f0e',
      'REPORT RequestId: 5f0e\tDuration: 3.01 ms\tBilled Duration: 4 ms',
      'REPORT RequestId: 5f0e\tDuration: 3000.00 ms\tStatus: timeout',
      'START of the sale is wrong',
    ]
    const logEvents = lines.map((message) => ({ message }))
    const records = read({ messageType: 'DATA_MESSAGE', logGroup: '/aws/lambda/pay', logEvents })
    expect(records.map(({ severity }) => severity)).toEqual(['info', 'info', 'info', null, null])
  })

  it('is not a list that belongs to one report', () => {
    const body = {
      problem: 'none left',
      error_lines: [
        { text: 'a', time: 1 },
        { text: 'b', time: 2 },
      ],
    }
    expect(read(body)).toMatchObject([{ message: 'none left' }])
  })

  it('may be a Pub/Sub message', () => {
    const data = Buffer.from(JSON.stringify({ severity: 'ERROR', textPayload: stack })).toString('base64')
    const expected = { message: 'no cart', exception: 'TypeError', file: '/srv/cart.js', line: 3, severity: 'error' }
    expect(read({ message: { data, messageId: '1' }, subscription: 's' })).toMatchObject([expected])
    expect(read({ message: { data: 'bm8gSlNPTg==' }, subscription: 's' })).toHaveLength(1)
  })

  it('of Fluentd is the record after its tag and time', () => {
    expect(read(['app', 1_700_000_000, { message: 'no cart', level_name: 'ERROR' }])).toEqual([
      expect.objectContaining({ message: 'no cart', severity: 'error' }),
    ])
  })
})
