import { expect, it } from 'vitest'
import { bundled, gzipped, loadedOnDemand, wholeClient } from './bundle-size.ts'

const gitDelivery = '*/git-delivery.ts'

it('fits in 20 kB, everything included', async () => {
  expect(await gzipped(wholeClient)).toBeLessThanOrEqual(20_000)
})

it.each([
  { name: 'createClient', entry: 'index', route: 'crm.leads.create', summary: 'Create a lead' },
  { name: 'createAdminClient', entry: 'admin', route: 'accounts.create', summary: 'Create an account' },
])('includes the routes of $name without their documentation', async ({ name, entry, route, summary }) => {
  const code = Buffer.from(await bundled(`import { ${name} } from './${entry}.ts'; console.log(${name})`)).toString()
  expect(code).toContain(route)
  expect(code).not.toContain(summary)
  expect(code).not.toContain('grace@fabrikam.test')
})

it('adds nothing to a bundle that does not use it', async () => {
  expect(await gzipped("import './index.ts'")).toBe(0)
})

it('adds only the errors to a bundle that uses only them', async () => {
  expect(await gzipped("export { RateLimitError } from './index.ts'")).toBeLessThanOrEqual(1_500)
})

const imports = (names: string) => `import { ${names} } from './inbound.ts'; console.log(${names})`

it('has an inbound client that fits in 13.3 kB, or 14.3 kB with captureErrors', async () => {
  expect(await gzipped(imports('createInboundClient'), [...loadedOnDemand, gitDelivery])).toBeLessThanOrEqual(13_300)
  expect(
    await gzipped(imports('createInboundClient, captureErrors'), [...loadedOnDemand, gitDelivery]),
  ).toBeLessThanOrEqual(14_300)
})

it('keeps zod out of the inbound client, even with Git deliveries', async () => {
  expect(await gzipped(imports('createInboundClient, captureErrors, toErrorReport'))).toBeLessThanOrEqual(15_250)
})
