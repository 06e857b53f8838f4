import { type ApiRoute, apiRoutes, responseSchema, successStatus } from '@service/contract'
import { apiDocs } from '@service/contract/docs'
import { paramNamesIn, pathParams } from '@service/contract/path-params'
import type { RouteDocs } from '@service/contract/route-docs'
import { attendanceChecks } from './checks/attendance.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { createChecks } from './checks/creates.ts'
import { intakeChecks } from './checks/intake.ts'
import { listsChecks } from './checks/lists.ts'
import { pingChecks } from './checks/pings.ts'
import { type Check, expectShape, expectStatus } from './probe.ts'

/**
 * A check for each API operation without a dedicated one: its first example gets a documented response. So the suite
 * covers every operation as soon as it is in the contract.
 */
const checksByRoute = (checked: ReadonlySet<string | undefined>): Check[] =>
  apiRoutes.filter(({ operation }) => !checked.has(operation)).map(toCheck)

const toCheck = (route: ApiRoute): Check => ({
  section: '§4',
  title: `${route.operation} answers with a documented status and shape`,
  basis: 'documented',
  operation: route.operation,
  ...(route.method === 'GET' ? {} : { writes: true }),
  async run(probe) {
    const docs: Readonly<Record<string, RouteDocs>> = apiDocs
    const [body] = Object.values(docs[route.operation]?.bodies ?? {})
    const reply = await probe.api(examplePath(route), { method: route.method, ...(body === undefined ? {} : { body }) })
    const success = successStatus(route)
    // The document names 201 but labels its samples 200, and an example may refer to a missing record.
    expectStatus(reply, success, 200, 404, 409, 422)
    if (reply.status === success && success !== 204) expectShape(responseSchema(route), reply)
  },
})

/** The path with the example of each parameter. The probe fills in the workspace. */
const examplePath = ({ path }: ApiRoute): string =>
  paramNamesIn(path)
    .filter((name) => name !== 'workspace')
    .reduce((filled, name) => filled.replace(`{${name}}`, String(pathParams[name].example)), path)

const written: readonly Check[] = [
  ...authenticationChecks,
  ...listsChecks,
  ...pingChecks,
  ...createChecks,
  ...attendanceChecks,
  ...intakeChecks,
]

/** The documented behavior, in the order of the document within each file. */
export const checks: readonly Check[] = [
  ...written,
  ...checksByRoute(new Set(written.map(({ operation }) => operation))),
]
