import type { CheckedBodyOf, RouteTable } from '@service/contract'
import type { faultControlRoutes } from '@service/contract/test-controls/faults'
import type { ActiveFault, ConnectionFault, Damage, Fault } from '../../faults/fault.ts'
import { fromWire } from '../../http/wire-names.ts'
import type { ControlHandlers } from '../control-route.ts'

type NewFault = CheckedBodyOf<RouteTable<typeof faultControlRoutes>['faults.add']>

// The contract knows nothing of the server, so it lists them again: whatever is missing there does not compile here.
type Unlisted = Exclude<Damage, NewFault['damage']> | Exclude<ConnectionFault, NewFault['connection']>
true satisfies [Unlisted] extends [never] ? true : `test-controls/faults.ts lacks ${Unlisted}`

const toFault = ({ respond, ...given }: NewFault): Fault => ({
  ...fromWire(given),
  ...(respond === undefined ? {} : { respond: typeof respond === 'number' ? respond : fromWire(respond) }),
})

const toJson = ({ name, hits, fault: { match, after, times } }: ActiveFault) => ({ name, hits, match, after, times })

export const faultControls = {
  'faults.list': (server) => server.faults.list().map(toJson),
  'faults.add'(server, { body, handles }) {
    const active = server.faults.add(toFault(body))
    return { id: handles.faults.add(active), ...toJson(active) }
  },
  'faults.clear': (server) => server.faults.clear(),
  'faults.remove': (_, { id, handles }) => handles.faults.remove(id).remove(),
} satisfies ControlHandlers<typeof faultControlRoutes>
