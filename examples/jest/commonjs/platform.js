const { SERVICE_URL, SERVICE_ADMIN_TOKEN, SERVICE_TOKEN, SERVICE_WORKSPACE } = process.env
const controls = `${SERVICE_URL}/admin/v1/test`

async function send(method, url, body) {
  const headers = { authorization: `Bearer ${SERVICE_ADMIN_TOKEN}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${method} ${url} failed: ${await response.text()}`)
  return response.status === 204 ? undefined : (await response.json()).data
}

/**
 * Gives each test file its own copy of the platform, and each test the seed. Returns the options of a client, and a function
 * that calls a test control, such as `POST /faults` or `POST /clock/advance`.
 */
exports.usePlatform = () => {
  const options = { token: SERVICE_TOKEN, workspace: Number(SERVICE_WORKSPACE) }
  let fork
  beforeAll(async () => {
    fork = await send('POST', `${controls}/forks`)
    options.baseUrl = fork.base_url
  })
  beforeEach(() => send('POST', `${fork.test_url}/reset`))
  afterAll(() => send('DELETE', `${controls}/forks/${fork.id}`))
  return { options, control: (method, path, body) => send(method, fork.test_url + path, body) }
}
