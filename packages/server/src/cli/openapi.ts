import { Command } from 'commander'

export const openapiCommand = (): Command =>
  new Command('openapi')
    .description('Print the OpenAPI document of the API or of administration.')
    .option('--admin', 'that of administration')
    .option('--json', 'the same: the document is JSON anyhow')
    .addHelpText('after', '\nExample:\n  service-server openapi > openapi.json')
    .action(async ({ admin }: { readonly admin?: boolean }) => {
      const document =
        admin === true
          ? (await import('../openapi/admin-document.ts')).createAdminDocument()
          : (await import('../openapi/document.ts')).createOpenApiDocument()
      process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
    })
