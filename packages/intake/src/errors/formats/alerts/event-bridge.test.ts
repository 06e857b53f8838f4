import { expect, it } from 'vitest'
import { levelOf } from '../../level.ts'
import { readErrorReports } from '../../read-error-reports.ts'

const event = (type: string, detail: object) => ({
  'detail-type': type,
  source: 'aws.codebuild',
  account: '1',
  region: 'eu-west-1',
  resources: ['arn:aws:codebuild:eu-west-1:1:build/shop'],
  detail,
})

const read = (body: unknown) =>
  readErrorReports({ body: new TextEncoder().encode(JSON.stringify(body)), headers: new Headers() })

it('opens on what failed in AWS, with its name and reason', () => {
  const [build, task, query] = [
    event('CodeBuild Build State Change', { 'build-status': 'FAILED', 'project-name': 'shop' }),
    event('ECS Task State Change', { lastStatus: 'STOPPED', group: 'service:shop', stoppedReason: 'Out of memory' }),
    event('Glue Job State Change', { jobName: 'nightly', state: 'TIMEOUT', message: 'took 2 h' }),
  ].flatMap(read)
  expect(build).toMatchObject({
    exception: 'CodeBuild Build State Change',
    message: 'shop FAILED',
    app: 'shop',
    recovered: false,
  })
  expect(task).toMatchObject({ exception: 'ECS Task State Change', message: 'Out of memory' })
  expect(query).toMatchObject({ message: 'took 2 h', app: 'nightly' })
  expect([build, task, query].map((record) => record && levelOf(record))).toEqual(['error', 'error', 'error'])
})

it('knows how it ended in any spelling, and by the type of the event', () => {
  const [launch, scan] = [
    event('EC2 Instance Launch Unsuccessful', { StatusCode: 'Failed', StatusMessage: 'no capacity left' }),
    event('Image Scan Unsuccessful', { 'repository-name': 'shop' }),
  ].flatMap(read)
  expect(launch).toMatchObject({ message: 'no capacity left', recovered: false })
  expect([launch, scan].map((record) => record && levelOf(record))).toEqual(['error', 'error'])
  expect(read(event('EC2 Instance Launch Successful', { StatusCode: 'InProgress' }))).toMatchObject([
    { recovered: true },
  ])
})

it('opens nothing on what begins or ends well, and counts the end on the ticket of the failure', () => {
  const states = ['STARTED', 'IN_PROGRESS', 'SUCCEEDED'].flatMap((state) =>
    read(event('CodePipeline Pipeline Execution State Change', { pipeline: 'shop', state })),
  )
  expect(states.map((record) => [record.recovered, levelOf(record)])).toEqual([
    [false, 'info'],
    [false, 'info'],
    [true, 'error'],
  ])
  const [failed] = read(event('CodePipeline Pipeline Execution State Change', { pipeline: 'shop', state: 'FAILED' }))
  expect(failed?.fingerprint).toEqual(states[2]?.fingerprint)
})

it('opens on what AWS tells of its own health, and on sentences that say trouble', () => {
  const health = event('AWS Health Event', {
    eventTypeCategory: 'issue',
    statusCode: 'open',
    eventDescription: [{ language: 'en_US', latestDescription: 'Your instance runs on degraded hardware.' }],
  })
  const [record] = read(health)
  expect(record).toMatchObject({ message: 'Your instance runs on degraded hardware.', recovered: false })
  expect(record && levelOf(record)).toBe('error')
  expect(read(event('AWS Health Event', { eventTypeCategory: 'issue', statusCode: 'closed' }))).toMatchObject([
    { recovered: true },
  ])
  const [refused] = read(event('Shop Order Placed', { message: 'The card was refused' }))
  expect(refused && levelOf(refused)).toBe('error')
})
