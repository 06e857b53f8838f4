import type { WorkspacePages } from '../../ui/page-types.ts'
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  endPreviousSecret,
  recoverDeliveries,
  rotateSecret,
  sendTestEvent,
} from './action-pages.tsx'
import { eventCatalogue } from './catalogue-pages.tsx'
import { deliveryDetail, resendDelivery } from './delivery-pages.tsx'
import { endpointDetail } from './detail-pages.tsx'
import { createEndpoint, editEndpoint, newEndpoint, updateEndpoint } from './edit-pages.tsx'
import { endpointList } from './list-pages.tsx'

const role = 'admin'

export const webhookPages: WorkspacePages = [
  { method: 'GET', path: '/webhooks', role, handle: endpointList },
  { method: 'GET', path: '/webhooks/events', role, handle: eventCatalogue },
  { method: 'GET', path: '/webhooks/new', role, handle: newEndpoint },
  { method: 'POST', path: '/webhooks', role, handle: createEndpoint },
  { method: 'GET', path: '/webhooks/{id}', role, handle: endpointDetail },
  { method: 'GET', path: '/webhooks/{id}/edit', role, handle: editEndpoint },
  { method: 'POST', path: '/webhooks/{id}', role, handle: updateEndpoint },
  { method: 'POST', path: '/webhooks/{id}/test', role, handle: sendTestEvent },
  { method: 'POST', path: '/webhooks/{id}/recover', role, handle: recoverDeliveries },
  { method: 'POST', path: '/webhooks/{id}/rotate', role, handle: rotateSecret },
  { method: 'POST', path: '/webhooks/{id}/end-previous-secret', role, handle: endPreviousSecret },
  { method: 'POST', path: '/webhooks/{id}/enable', role, handle: enableEndpoint },
  { method: 'POST', path: '/webhooks/{id}/disable', role, handle: disableEndpoint },
  { method: 'POST', path: '/webhooks/{id}/delete', role, handle: deleteEndpoint },
  { method: 'GET', path: '/deliveries/{id}', role, handle: deliveryDetail },
  { method: 'POST', path: '/deliveries/{id}/resend', role, handle: resendDelivery },
]
