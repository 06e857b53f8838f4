import { createTestServer } from '@service/server/testing'

/** Starts one platform for all test files. Jest's workers inherit the environment variables. */
export default async function start() {
  const adminToken = 'admin-token-of-the-tests'
  const server = await createTestServer({ seed: 'demo', testControls: true, adminToken })
  const { url } = await server.listen()
  const { token, workspace } = server.seeded
  Object.assign(process.env, { SERVICE_URL: url, SERVICE_ADMIN_TOKEN: adminToken })
  Object.assign(process.env, { SERVICE_TOKEN: token, SERVICE_WORKSPACE: workspace })
  globalThis.platform = server
}
