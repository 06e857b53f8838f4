import { listProjects, type Project } from '@service/contract/projects'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** The workspace's projects. */
export interface Projects {
  /**
   * The newest projects, at most 50, newest first. Needs `projects:read`.
   *
   * @throws ServiceError, above all AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Project[]>
}

export function projects(send: Sender): Projects {
  const list = send.data(listProjects)
  return { list: (options) => list(options) }
}
