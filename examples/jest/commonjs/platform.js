const { SERVICE_URL, SERVICE_ADMIN_TOKEN, SERVICE_TOKEN, SERVICE_WORKSPACE } = process.env
const controls = `${SERVICE_URL}/admin/v1/test`

async function control(method, url, body) {
  const headers = { authorization: `Bearer ${SERVICE_ADMIN_TOKEN}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url} failed: ${await response.text()}`)
  return response.status === 204 ? undefined : (await response.json()).data
}

/** Gives each test file its own copy of the platform, and each test the seed. */
exports.usePlatform = () => {
  const platform = { token: SERVICE_TOKEN, workspace: Number(SERVICE_WORKSPACE) }
  let fork
  beforeAll(async () => {
    fork = await control('POST', `${controls}/forks`)
    platform.baseUrl = fork.base_url
  })
  beforeEach(() => control('POST', `${fork.test_url}/reset`))
  afterAll(() => control('DELETE', `${controls}/forks/${fork.id}`))
  /** Calls a test control, such as `POST /faults` or `POST /clock/advance`. */
  platform.control = (method, path, body) => control(method, fork.test_url + path, body)
  return platform
}
