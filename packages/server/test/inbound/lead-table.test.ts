import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { leadDocument, withLeadTable } from '../../build/lead-table.ts'

test('the documented table of lead platforms matches the readers', async () => {
  const document = await readFile(leadDocument, 'utf8')
  expect(document).toBe(withLeadTable(document))
})
