import * as contract from '@service/contract'
import { adminRoutes } from '@service/contract/admin'
import { auditExportRoutes } from '@service/contract/admin/audit'
import * as automation from '@service/contract/admin/automation'
import * as deliveries from '@service/contract/admin/deliveries'
import * as errorReports from '@service/contract/admin/error-reports'
import * as git from '@service/contract/admin/git'
import * as hrms from '@service/contract/admin/hrms'
import * as inboundDeliveries from '@service/contract/admin/inbound-deliveries'
import { backupDownloadRoutes } from '@service/contract/admin/operations'
import * as webhookInput from '@service/contract/admin/webhook-input'
import * as webhooks from '@service/contract/admin/webhooks'
import { tags } from '@service/contract/docs'
import { adminDocs } from '@service/contract/docs/admin'
import { auditExportDocs } from '@service/contract/docs/admin/audit'
import { backupDownloadDocs } from '@service/contract/docs/admin/operations'
import { version } from '../core/version.ts'
import { schemasOf } from './schemas.ts'
import { describeSurface, type OpenApiDocument } from './surface-document.ts'

const introduction = `The API for administrators and their tools. It is separate from the platform's REST API.

Requests send \`Authorization: Bearer\` with a session token, a personal access token, the admin token set by the operator, or on webhook routes an API token with the scope \`webhooks:manage\`.

- **Roles**: each route names the lowest role that may call it: \`viewer\`, \`member\`, \`admin\`, or \`owner\` of the workspace, or \`instance\`. Resources of other workspaces are 404, and insufficient roles are 403.

- **Lists** are pages of 50, newest first: \`limit\` (at most 200) and \`before\`; \`next_before\` in the response is the \`before\` of the next page.
- **Changes**: a PATCH with \`If-Match\` is 412 if the resource no longer has that \`ETag\`, unless it already has the values of the request; a POST with an \`Idempotency-Key\` takes effect once within 24 hours.
- **Errors** have a \`message\`, and \`errors\` with messages per field if the input is invalid.
`

/** The admin API as OpenAPI 3.1, generated from the contract. */
export const createAdminDocument = (): OpenApiDocument =>
  describeSurface({
    info: { title: 'Administration of the Workspace Platform', version, description: introduction },
    servers: [{ url: '/', description: 'This server. Administration is under /admin/v1.' }],
    tags: tags.admin,
    routes: [...adminRoutes, ...auditExportRoutes, ...backupDownloadRoutes],
    docs: { ...adminDocs, ...auditExportDocs, ...backupDownloadDocs },
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
