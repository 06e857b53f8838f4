/** The first page of the reference. */
export const introduction = `Tickets, tasks, projects, HR and CRM of a workspace, with webhooks in both directions.

The REST API stands under \`/api/v1\` and takes a bearer token. The inbound webhooks stand under \`/api\` and take the secrets that are named with each of them. Every path here is written in full.

- **Format.** JSON in UTF-8 both ways. Date-times of answers are UTC with microseconds (\`2026-11-20T18:51:53.123456Z\`), days are \`YYYY-MM-DD\`, money is a string with two decimals. A field that is not set is \`null\`. Text must not contain U+0000. Unknown fields and query parameters are ignored.
- **Lists** hold at most 50 records, newest first.
- **Refusals** have a \`message\`, and \`errors\` with sentences per field when the body is at fault.
- **Rate.** 120 requests per minute for each token, or for each address where no token is used.
- **Repeating safely.** Send an \`Idempotency-Key\` with a POST, and repeat it as often as you need. Git events need none: their own delivery ids do the same.
- **Open lists.** Where known values are named (a status, a priority), others may come.
`
