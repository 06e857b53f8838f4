import { differ, open, quiet, resolves } from './testing-tickets.ts'

// Bodies in the shapes that hypervisors, clouds, network monitors, and mail gateways send, shortened.

// Proxmox VE: the severity tells a good backup from a failed one.
const backup = (title: string, severity: string) => ({
  title: `vzdump backup status (pve1): ${title}`,
  message: 'Details\n=======\nVMID Name\n100 web',
  severity,
})
quiet('a good backup of Proxmox VE', backup('backup successful', 'info'))
open('a failed backup of Proxmox VE', backup('backup failed', 'error'))
quiet('updates of Proxmox VE', {
  title: 'Updates (pve1)',
  message: 'libc 2.36',
  severity: 'notice',
  fields: { type: 'x' },
})
// Google Cloud: JSON lines of an application.
quiet('a line of Google Cloud with a service', { severity: 'INFO', message: 'cache hit', service: 'api' })
quiet('a line of Google Cloud with a time', { severity: 'DEBUG', message: 'cache hit', time: '2026-11-30T10:00:00Z' })
quiet('a line of Google Cloud with a request', {
  severity: 'INFO',
  message: 'cart viewed',
  httpRequest: { requestMethod: 'GET', status: 200, requestUrl: 'https://shop.example/cart' },
})
quiet('a line with a logger', { severity: 'info', message: 'ann signed in', logger: 'auth' })
quiet('a line with a host', { severity: 'info', message: '3 jobs done', host: 'web1' })
open('an error of Google Cloud', { severity: 'ERROR', message: 'cache lost', service: 'api' })
for (const extra of [
  { trace_id: 'a1' },
  { user: { id: 7 }, session: 'x' },
  { metadata: { plan: 'pro' }, tags: ['cart'] },
])
  open(`a documented report with ${Object.keys(extra).join(' and ')}`, {
    severity: 'info',
    message: 'cart viewed',
    ...extra,
  })
// Netdata
const netdata = (node: string, severity: string, message: string) => ({ message, alert: '10min_cpu', severity, node })
resolves(
  'an alert of Netdata',
  netdata('web1', 'critical', 'web1, system.cpu, is at 97 %'),
  netdata('web1', 'clear', 'web1, system.cpu, recovered'),
)
differ('two nodes of Netdata', netdata('web1', 'critical', 'cpu at 97 %'), netdata('web2', 'critical', 'cpu at 97 %'))
