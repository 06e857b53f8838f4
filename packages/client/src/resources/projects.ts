import { listProjects } from '@service/contract/projects'
import type { ProjectStatus } from '@service/contract/values'
import type { Call } from '../call.ts'
import type { CallOptions } from '../call-options.ts'
import type { Sender } from '../send-call.ts'

/** A project. */
export interface Project {
  id: number
  name: string
  status: ProjectStatus
  /** `#rrggbb`. */
  color: string | null
  /** A day, `YYYY-MM-DD`. */
  starts_at: string | null
  /** A day, `YYYY-MM-DD`. */
  due_at: string | null
  /** UTC with microseconds, e.g. `2026-11-20T18:51:53.123456Z`. */
  created_at: string
}

/** The workspace's projects. */
export interface Projects {
  /**
   * Returns up to 50 projects, newest first. Requires `projects:read`.
   *
   * @throws ServiceError, especially AuthenticationError, PermissionError, RateLimitError.
   */
  list(options?: CallOptions): Call<Project[]>
}

export const projects = (send: Sender): Projects => ({ list: send.data(listProjects) })
