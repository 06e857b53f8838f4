import type { apiRoutes } from './api-routes.ts'
import { crmDocs } from './docs/crm.ts'
import { hrmsDocs } from './docs/hrms.ts'
import { attendanceDocs } from './docs/inbound/attendance.ts'
import { errorDocs } from './docs/inbound/errors.ts'
import { gitDocs } from './docs/inbound/git.ts'
import { leadDocs } from './docs/inbound/leads.ts'
import { projectDocs } from './docs/projects.ts'
import { taskDocs } from './docs/tasks.ts'
import { ticketDocs } from './docs/tickets.ts'
import type { DocsOf } from './route-docs.ts'
import type { inboundRoutes } from './routes.ts'

// Imported as `@service/contract/docs` and never through the index, so that bundles do not include documentation.

export { eventExamples } from './docs/event-examples.ts'
export { tagOf, tags } from './docs/tags.ts'

/** Summary, description, examples and notes of each documented operation. */
export const apiDocs: DocsOf<typeof apiRoutes> & DocsOf<typeof inboundRoutes> = {
  ...ticketDocs,
  ...taskDocs,
  ...projectDocs,
  ...hrmsDocs,
  ...crmDocs,
  ...errorDocs,
  ...attendanceDocs,
  ...leadDocs,
  ...gitDocs,
}
