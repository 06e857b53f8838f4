import { crmDocs } from './crm.ts'
import { hrmsDocs } from './hrms.ts'
import { attendanceDocs } from './inbound/attendance.ts'
import { errorDocs } from './inbound/errors.ts'
import { gitDocs } from './inbound/git.ts'
import { leadDocs } from './inbound/leads.ts'
import { projectDocs } from './projects.ts'
import type { DocsOf } from './route-docs.ts'
import type { apiRoutes, inboundRoutes } from './routes.ts'
import { taskDocs } from './tasks.ts'
import { ticketDocs } from './tickets.ts'

// Imported as `@service/contract/docs` and never through the index: only readers of documentation need it.

export { eventExamples } from './docs/event-examples.ts'
export { tags } from './docs/tags.ts'

/** Summary, description, examples and notes of each documented operation. */
export const apiDocs = (): DocsOf<typeof apiRoutes> & DocsOf<typeof inboundRoutes> => ({
  ...ticketDocs(),
  ...taskDocs(),
  ...projectDocs(),
  ...hrmsDocs(),
  ...crmDocs(),
  ...errorDocs(),
  ...attendanceDocs(),
  ...leadDocs(),
  ...gitDocs(),
})
