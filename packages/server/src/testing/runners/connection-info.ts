import type { TestServer } from '../test-server.ts'

/** What a client needs to be told. */
export interface ConnectionInfo {
  /** E.g. `https://service.test` in process, or a port's. */
  readonly origin: string
  /** Where the REST API begins: the origin and `/api/v1`. */
  readonly baseUrl: string
  /** A bearer token with every scope. */
  readonly token: string
  /** The id of the token's workspace. */
  readonly workspace: number
}

/** The seed's first workspace and its token; where it has none they are made. */
export async function readConnectionInfo(server: TestServer, origin: string): Promise<ConnectionInfo> {
  const { workspace, token } = server.seeded
  const baseUrl = `${origin}/api/v1`
  if (workspace !== undefined && token !== undefined) return { origin, baseUrl, token, workspace }
  const issued = await server.tokens.issue(workspace === undefined ? {} : { workspace })
  return { origin, baseUrl, token: issued.token, workspace: issued.workspace_id }
}
