import { pick, toText } from '../json.ts'
import { nameTest } from '../memoize.ts'
import { isPast } from './states.ts'
import type { ReportNode } from './walk.ts'

// Names of places, machines, services, and runs: where an alert comes from.

/** The repository or the project, which no other shares. */
export const isScope = nameTest(/^(?:repository|repo|project)(?:(?:full)?name|slug|path)?$/)
// Where things happen, in the languages of the failure words.
const machines =
  'host|server|device|node|instance|machine|vm|domain|site|target|component|origin|zone|cluster|namespace|pod|container'
const stores =
  'database|db|schema|table|bucket|queue|topic|volume|disk|mount|share|partition|shard|replica|broker|group|dataset|index'
const routes =
  'interface|port|link|circuit|gateway|router|switch|point|ap|firewall|vpn|tunnel|peer|address|ip|mac|mailbox|channel'
const works =
  'certificate|cert|job|task|stage|pipeline|workflow|dag|schedule|cron|backup|feed|flow|sync|scenario|connector|connection'
const callers =
  'integration|subscription|function|lambda|stack|endpoint|model|worker|thread|playbook|agent|metric|configurationitem|ci'
const owners =
  'tenant|customer|client|region|location|store|shop|branch|plant|building|station|facility|room|lane|floor|printer'
const objects = 'camera|vehicle|truck|asset|robot|meter|elevator|pump|tank|silo|unit|computer|resource|object|equipment'
const elsewhere = 'maschine|anlage|gerät|geraet|standort|equipo|servidor|dispositivo|serveur|appareil'
const places = `${machines}|${stores}|${routes}|${works}|${callers}|${owners}|${objects}|${elsewhere}`
/** Their ids are those of things, not of runs. */
const numbered =
  'host|server|device|node|instance|machine|vm|site|vehicle|asset|camera|printer|meter|store|tenant|resource|object|sensor|scenario|endpoint'
/** What is run: that it failed is the problem, whatever its message says. */
export const isRun = nameTest(
  /^(?:cron|source)?(?:dag|pipeline|workflow|scenario|flow|sync|connector|connection|playbook|schedule|backup|checkrun)(?:display|full)?(?:name|label|slug)?$|^(?:dagid|scenarioid|flowid|connectorid)$/,
)
/** A check of a machine. */
export const isService = nameTest(/^(?:check|service|servicename|servicedesc(?:ription)?|sensor|plugin)(?:name)?$/)
export const isMachine = nameTest(
  /^(?:host|hostname|hostalias|device|devicename|machine|server|servername|node|nodename)$/,
)

/** Where an alert comes from. */
export const isPlace = nameTest(
  new RegExp(
    `^(?:backup|cron|batch|affected|remote|source|virtual|access|consumer|network|storage)?(?:${places})(?:run|display|full)?(?:name|label|slug)?$|^(?:(?:${numbered})(?:id|uid|number|no)|fqdn|website|dagid|hostnameandport|ipaddress|serial(?:number)?|imei|resourcearn|externalid)$`,
  ),
)
/** An address of what is down, if nothing else names it. */
export const isAddress = nameTest(/^(?:url|uri|link|endpoint|address|ip|ipaddress|website)$/)

const maxLength = 200

/** A short text. */
export const usable = (value: unknown): string | null => {
  const text = toText(value)?.trim() ?? ''
  return text === '' || text.length > maxLength ? null : text
}

/** An object that has a name, in place of its name. */
const nameOf = (value: unknown): string | null =>
  usable(
    pick(value, 'full_name', 'fullName', 'path_with_namespace', 'slug', 'name', 'hostname', 'display_name', 'url') ??
      value,
  )

export const namesIn = (nodes: readonly ReportNode[], isWanted: (key: string) => boolean): readonly string[] => {
  const found = nodes
    .filter(({ key, owner, depth, isListed }) => depth <= 3 && !isListed && !isPast(owner) && isWanted(key))
    .map(({ value }) => nameOf(value))
  return [...new Set(found.filter((name) => name !== null))].toSorted()
}
