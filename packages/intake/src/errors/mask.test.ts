import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from './mask.ts'

const masked = '[masked]'

describe('masking', () => {
  it('masks the value of every secret key, in any spelling and at any depth', () => {
    const keys = [
      'password Passwd user_password api_key API-Key apiKey x-api-key secret clientSecret access_token',
      'csrfToken Authorization Proxy-Authorization Cookie Set-Cookie credentials private_key',
      'card_number CVV ssn session_id APP_KEY DATABASE_URL',
    ].flatMap((line) => line.split(' '))
    for (const key of keys) {
      expect(maskSecrets({ a: [{ [key]: 'hunter2' }] }), key).toEqual({ a: [{ [key]: masked }] })
      expect(maskSecrets({ [key]: { deep: ['hunter2'] } }), key).toEqual({ [key]: masked })
    }
  })

  it.each([
    'https://hooks.slack.com/services/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',
    'https://hooks.slack.com/workflows/T0A1/A05/5731/mEg3XUxgGR6',
    'https://discord.com/api/webhooks/120938120938120938/6Yl-Xk2fPq9ZrT',
    'https://discordapp.com/api/v10/webhooks/120938120938120938/6Yl-Xk2fPq9ZrT?wait=true',
    'https://shop.webhook.office.com/webhookb2/1b2c@9f8e/IncomingWebhook/6Yl0Xk2fPq9ZrT/77aa',
    'https://outlook.office.com/webhook/1b2c@9f8e/IncomingWebhook/6Yl0Xk2fPq9ZrT/77aa',
    'https://chat.googleapis.com/v1/spaces/AAAA/messages?key=AIzaSy&token=6Yl0Xk2fPq9ZrT',
    'https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage',
    '123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  ])('masks what lets others write to a chat: %s', (url) => {
    const text = String(maskSecrets(`POST ${url} failed with 404`))
    expect(text).toMatch(/^POST \S*\[masked\]\S* failed with 404$/)
    expect(text).not.toMatch(/aZ3kQ9|mEg3XU|6Yl|AAHdqT/)
  })

  it('keeps the pages and the methods of chats', () => {
    const text =
      'https://api.telegram.org/docs, https://discord.com/channels/12/34, https://hooks.slack.com is down: 12:AA'
    expect(maskSecrets(text)).toBe(text)
  })

  it('keeps values that are not secret', () => {
    const harmless = {
      password: null,
      token: '',
      secret: false,
      tokens: 3,
      message: 'The password field is required.',
      line: 12,
      author: 'ada',
      keyboard: 'qwerty',
      passed: 'yes',
    }
    expect(maskSecrets(harmless)).toEqual(harmless)
  })

  it('masks values in lists of pairs, named values, and alternating names and values', () => {
    expect(
      maskSecrets([
        ['Authorization', 'x'],
        ['Host', 'y'],
      ]),
    ).toEqual([
      ['Authorization', masked],
      ['Host', 'y'],
    ])
    expect(
      maskSecrets([
        { name: 'Cookie', value: 'x' },
        { key: 'Host', value: 'y' },
      ]),
    ).toEqual([
      { name: 'Cookie', value: masked },
      { key: 'Host', value: 'y' },
    ])
    expect(maskSecrets(['Host', 'y', 'Cookie', 'x', 'Accept', 'z'])).toEqual([
      'Host',
      'y',
      'Cookie',
      masked,
      'Accept',
      'z',
    ])
  })

  it('keeps lists of words and sentences', () => {
    const lists = [
      ['The password field is required.', 'The name field is required.'],
      ['name', 'password', 'email'],
    ]
    expect(maskSecrets(lists)).toEqual(lists)
  })

  it('masks secrets inside text', () => {
    const texts: readonly (readonly [string, string])[] = [
      ['login?user=ada&password=hunter2&x=1', `login?user=ada&password=${masked}&x=1`],
      ['https://a.example/?access_token=abc#x', `https://a.example/?access_token=${masked}#x`],
      ['https://a.example/?sig=abc&key=def', `https://a.example/?sig=${masked}&key=${masked}`],
      ['postgres://ada:p%40ss@db.example:5432/shop', `postgres://ada:${masked}@db.example:5432/shop`],
      ['redis://:hunter2@cache/0', `redis://:${masked}@cache/0`],
      ['Server=db;User Id=sa;Password=hunter2;Encrypt=yes', `Server=db;User Id=sa;Password=${masked};Encrypt=yes`],
      ['Authorization: Basic YWRhOmh1bnRlcjI=\nHost: a', `Authorization: ${masked}\nHost: a`],
      ['sent "Cookie: a=b; c=d" along', `sent "Cookie: ${masked}" along`],
      ['curl -H Bearer abc123def456', `curl -H Bearer ${masked}`],
      ['{"apiKey":"abc","b":1}', `{"apiKey":"${masked}","b":1}`],
      ["['secret' => 'abc']", `['secret' => '${masked}']`],
      ['DB_PASSWORD=hunter2 make', `DB_PASSWORD=${masked} make`],
      ['<user><password>hunter2</password></user>', `<user><password>${masked}</password></user>`],
      ['<a:Pin type="x">1234</a:Pin><name>Ada</name>', `<a:Pin type="x">${masked}</a:Pin><name>Ada</name>`],
      ['<password><![CDATA[a<b]]></password>', `<password>${masked}</password>`],
      ['<secret><value>a</value></secret><b>c</b>', `<secret>${masked}</secret><b>c</b>`],
      ['&lt;token&gt;abc&lt;/token&gt;', `&lt;token&gt;${masked}&lt;/token&gt;`],
      ['<add key="ApiKey" value="abc" />', `<add key="ApiKey" value="${masked}" />`],
      ['sent {\\"password\\":\\"a b\\",\\"x\\":1}', `sent {\\"password\\":\\"${masked}\\",\\"x\\":1}`],
      [
        JSON.stringify(JSON.stringify({ password: 'a"b c', x: 1 })),
        JSON.stringify(JSON.stringify({ password: masked, x: 1 })),
      ],
      [
        JSON.stringify(JSON.stringify(JSON.stringify({ a: { token: 'a\\"b, c' }, x: 'd' }))),
        JSON.stringify(JSON.stringify(JSON.stringify({ a: { token: masked }, x: 'd' }))),
      ],
      ['curl -u me:hunter2 https://a.example', `curl -u me:${masked} https://a.example`],
      ["curl -sXPOST --user 'me:hunter2' a.example", `curl -sXPOST --user 'me:${masked}' a.example`],
      ['mysqldump --password hunter2 shop', `mysqldump --password ${masked} shop`],
      ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end', `jwt ${masked} end`],
      ['card 4242 4242 4242 4242 declined', `card ${masked} declined`],
      ['card 378282246310005.', `card ${masked}.`],
      [`a ${'-----BEGIN RSA '}PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b`, `a ${masked} b`],
      [`cut off ${'-----BEGIN '}PRIVATE KEY-----\nMIIE`, `cut off ${masked}`],
      [`${'gh'}p_${'a1'.repeat(18)} and ${'AK'}IA${'A1'.repeat(8)}`, `${masked} and ${masked}`],
    ]
    for (const [text, expected] of texts) expect(maskSecrets(text), text).toBe(expected)
  })

  it('keeps prose, ids, and times', () => {
    const texts = [
      "Access denied for user 'root'@'localhost' (using password: YES)",
      'Unexpected token < in JSON at position 0',
      'Basic authentication failed',
      'docker run -u 1000:1000 shop',
      'Unclosed <div> before <span class="token">',
      'The token expired yesterday',
      'order 1795202123000000 at 2026-11-20T19:16:24.945Z',
      'card 4242424242424241 has a wrong digit',
      'https://a.example/users/7?page=2',
      "Cannot read properties of null (reading 'map')",
    ]
    expect(texts.map((text) => maskSecrets(text))).toEqual(texts)
  })

  it('masks card numbers that are JSON numbers', () => {
    expect(maskSecrets({ a: 4242424242424242, b: 1795202123000000 })).toEqual({ a: masked, b: 1795202123000000 })
  })

  it('keeps the shape of any value, and is idempotent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = maskSecrets(value)
        expect(maskSecrets(once)).toEqual(once)
        expect(Array.isArray(once)).toBe(Array.isArray(value))
        if (typeof value === 'object' && value !== null) expect(Object.keys(Object(once))).toEqual(Object.keys(value))
      }),
    )
  })

  it('masks every planted secret', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9]{8,30}$/).filter((text) => /[A-Z]/.test(text) && /\d/.test(text))
    const plant = fc.constantFrom(
      (s: string) => `https://a.example/?token=${s}&b=1`,
      (s: string) => `mysql://root:${s}@db/shop`,
      (s: string) => `Authorization: Bearer ${s}`,
      (s: string) => `failed with password="${s}" twice`,
      (s: string) => JSON.stringify({ headers: { Cookie: s } }),
    )
    fc.assert(
      fc.property(secret, plant, (value, sentence) => {
        expect(JSON.stringify(maskSecrets({ message: sentence(value), password: value }))).not.toContain(value)
      }),
    )
  })
})
