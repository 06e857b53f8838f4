import * as contract from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import * as automation from '@service/contract/admin/automation'
import * as deliveries from '@service/contract/admin/deliveries'
import * as errorReports from '@service/contract/admin/error-reports'
import * as git from '@service/contract/admin/git'
import * as hrms from '@service/contract/admin/hrms'
import * as inboundDeliveries from '@service/contract/admin/inbound-deliveries'
import * as webhookInput from '@service/contract/admin/webhook-input'
import * as webhooks from '@service/contract/admin/webhooks'
import { tags } from '@service/contract/docs'
import { adminDocs } from '@service/contract/docs/admin'
import { auditExportDocs } from '@service/contract/docs/admin/audit'
import { version } from '../core/version.ts'
import { schemasOf } from './schemas.ts'
import { describeSurface, type OpenApiDocument } from './surface-document.ts'

const introduction = `What administrators and their tools do with the platform. It is no part of the platform's own API.

Requests carry \`Authorization: Bearer\` with the token of a session, a personal access token, the token of administration, which the operator sets, or on the webhook routes an API token with the scope \`webhooks:manage\`.

- **Roles**: each route names the least role that may call it, of \`viewer\`, \`member\`, \`admin\` and \`owner\` of the workspace and \`instance\`. Another workspace's resources are 404, a role that is too low is 403.

- **Lists** are pages of 50, newest first: \`limit\` (at most 200) and \`before\`; \`next_before\` of the answer is \`before\` of the next page.
- **Changes**: a PATCH with \`If-Match\` is 412 when the resource is not what its \`ETag\` was; a POST with an \`Idempotency-Key\` acts once within 24 hours.
- **Refusals** have a \`message\`, and \`errors\` with sentences per field when the input is at fault.
`

/** Administration as OpenAPI 3.1, made from the contract. */
export const createAdminDocument = (): OpenApiDocument =>
  describeSurface({
    info: { title: 'Administration of the Workspace Platform', version, description: introduction },
    servers: [{ url: '/', description: 'This server. Administration is under /admin/v1.' }],
    tags: tags.admin,
    routes: [...adminRoutes, ...auditExportRoutes],
    docs: { ...adminDocs, ...auditExportDocs },
    schemas: schemasOf(
      contract,
      webhookInput,
      webhooks,
      deliveries,
      hrms,
      git,
      errorReports,
      inboundDeliveries,
      automation,
    ),
  })
