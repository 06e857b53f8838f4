import type { Format } from '../format.ts'
import { alertmanager, grafanaLegacy } from './alertmanager.ts'
import { azureMonitor, cloudWatch, coralogix, googleMonitoring } from './clouds.ts'
import { eventBridge } from './event-bridge.ts'
import { honeybadgerUptime, monitorState, opsgenie, pagerDuty, pagerDutyEvents, uptimeRobot } from './incidents.ts'
import { axiom, dash0, datadogMonitor, newRelicAlert } from './monitors.ts'
import { betterStack, uptimeCheck, uptimeKuma } from './uptime.ts'

/** What watches others: it names a rule and a state rather than an exception. */
export const alertFormats: readonly Format[] = [
  alertmanager,
  grafanaLegacy,
  googleMonitoring,
  cloudWatch,
  eventBridge,
  azureMonitor,
  dash0,
  axiom,
  coralogix,
  datadogMonitor,
  newRelicAlert,
  uptimeKuma,
  betterStack,
  uptimeCheck,
  pagerDuty,
  pagerDutyEvents,
  opsgenie,
  uptimeRobot,
  honeybadgerUptime,
  monitorState,
]
