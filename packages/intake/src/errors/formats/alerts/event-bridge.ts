import { extractFacts } from '../../heuristics/extract-facts.ts'
import { describesFailure } from '../../heuristics/failure-words.ts'
import { placesIn } from '../../heuristics/walk.ts'
import { at, firstEntries, has, isObject, listOf, pick, textOf } from '../../json.ts'
import type { Format } from '../format.ts'
import { toAlert } from './alert.ts'

/** Under which keys AWS's services say how something ended. */
const stateKeys = [
  'state',
  'status',
  'buildstatus',
  'statuscode',
  'laststatus',
  'phase',
  'result',
  'jobrunstate',
  'eventcode',
]
const failed =
  /^(?:fail|failed|failure|unsuccessful|fault|error|timed[_-]?out|timeout|aborted|stopped|unhealthy|cancel+ed)$/i
const succeeded = /^(?:succeeded|success|successful|succeed|completed?|ok|healthy|closed)$/i

const saidKeys = ['message', 'statusmessage', 'errormessage', 'stoppedreason', 'reason', 'cause', 'description']

const mostKeys = 100

/** Services write the same names as `build-status`, `StatusCode` and `lastStatus`. */
const pickAnySpelling = (detail: unknown, names: readonly string[]): unknown => {
  const entries = firstEntries(isObject(detail) ? detail : {}, mostKeys)
  const byName = new Map(entries.map(([key, value]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), value]))
  return names.map((name) => byName.get(name)).find((value) => textOf(value) !== null)
}

/** `EC2 Instance Launch Unsuccessful`: where the detail says nothing, its type may. */
const stateOfType = (type: unknown): string | null => textOf(type)?.split(' ').at(-1) ?? null

const subjectKeys = [
  ...['project-name', 'pipeline', 'application', 'name', 'jobName', 'stateMachineArn', 'clusterArn', 'function-name'],
  ...['DBInstanceIdentifier', 'SourceIdentifier', 'instance-id', 'group', 'repositoryName'],
] as const

/** An event of AWS's EventBridge, by how what it tells of ended. What has only begun is no error. */
export const eventBridge: Format = {
  name: 'event-bridge',
  about: {
    title: 'AWS EventBridge',
    by: '`detail-type` with `detail`',
    message: '`detail` `message`, `cause`, `errorMessage`…, else whom it is about and its state',
    exception: '`detail-type`',
    place: '–',
    context:
      '`detail` `project-name`, `pipeline`, `application`… · – · whether it failed; labels: source, region, account',
  },
  recognises: (report) => has(report, 'detail-type') && isObject(report['detail']),
  read: (report) => {
    const { detail } = report
    const given = textOf(pickAnySpelling(detail, stateKeys) ?? at(detail, 'state', 'value'))
    const ended = [given, stateOfType(report['detail-type'])].find(
      (one) => failed.test(one ?? '') || succeeded.test(one ?? ''),
    )
    const state = ended ?? given
    const subject = textOf(pick(detail, ...subjectKeys))
    const said = pickAnySpelling(detail, saidKeys) ?? extractFacts(placesIn(report)).message
    const isOver = succeeded.test(state ?? '')
    const isFailure = state !== null && failed.test(state)
    const isTrouble =
      has(detail, 'errorMessage') || at(detail, 'eventTypeCategory') === 'issue' || describesFailure(said)
    return [
      toAlert({
        name: report['detail-type'],
        summary: said ?? textOf([subject, state].filter((part) => part !== null).join(' ')),
        severity: isFailure || isOver ? null : (pick(detail, 'severity', 'level') ?? (isTrouble ? null : 'info')),
        app: subject,
        labels: { source: report['source'], region: report['region'], account: report['account'] },
        identity: [report['detail-type'], subject ?? listOf(report['resources'])[0]],
        isOver,
      }),
    ]
  },
}
