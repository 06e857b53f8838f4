import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, onTestFinished, test } from 'vitest'
import { createTestServer } from '../src/testing/entries/testing.ts'

test.each(['/openapi.json', '/admin/v1/openapi.json', '/admin/v1/test/openapi.json'])(
  'Spectral has nothing to say about %s',
  async (path) => {
    const server = await createTestServer({ adminToken: 'an-admin-token-of-twenty', testControls: true })
    onTestFinished(() => server.close())
    const document = await (await server.fetch(`http://platform.example${path}`)).json()
    const spectral = new Spectral()
    // The types of the two packages disagree about the aliases.
    spectral.setRuleset({ extends: [oas as RulesetDefinition] })
    const problems = await spectral.run(document)
    expect(problems.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
    // Proves that the rules apply.
    delete document.info.contact
    expect((await spectral.run(document)).map(({ code }) => code)).toEqual(['info-contact'])
  },
)
