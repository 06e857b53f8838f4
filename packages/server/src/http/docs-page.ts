/** The page of the reference. Its addresses are relative, so that it works behind a proxy's prefix too. */
export function docsPage(address: {
  readonly scalar: string
  readonly styles: string
  readonly script: string
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Workspace Platform: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address.styles}">
<script src="${address.scalar}" defer></script>
<script src="${address.script}" defer></script>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`
}

/** Nothing but files of this server: no inline script or style, no other host, no frame, no form. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Scalar writes style elements into the head, which the policy refuses. A style sheet that a script constructs is allowed,
 * so their text is adopted as such. The rest names what Scalar leaves without a name for screen readers.
 */
export const referenceScript = `
const adopted = new Map()
function adopt(style) {
  const text = style.textContent
  if (!text || adopted.get(style)?.text === text) return
  const sheet = adopted.get(style)?.sheet ?? new CSSStyleSheet()
  sheet.replaceSync(text)
  if (!adopted.has(style)) document.adoptedStyleSheets.push(sheet)
  adopted.set(style, { sheet, text })
}
const adoptAll = () => document.head.querySelectorAll('style').forEach(adopt)
adoptAll()
new MutationObserver(adoptAll).observe(document.head, { childList: true, characterData: true, subtree: true })

const amendments = [
  ['button[class~="group/copy-button"]:not([aria-label])', (element) => element.setAttribute('aria-label', 'Copy')],
  ['button[class~="group/copy-button"][aria-controls]', (element) => element.removeAttribute('aria-controls')],
  ['.response-card[role]', (element) => element.removeAttribute('role')],
  ['button[role=none]', (element) => element.removeAttribute('role')],
  ['.code-input-lite__editor[role=combobox]', (element) => element.setAttribute('role', 'textbox')],
  ['.cm-content:not([aria-label])', (element) => element.setAttribute('aria-label', 'Body')],
  ['.cm-scroller[tabindex="-1"], ul.endpoints:not([tabindex])', (element) => (element.tabIndex = 0)],
]
function amend() {
  for (const [selector, change] of amendments) document.querySelectorAll(selector).forEach(change)
}
new MutationObserver(amend).observe(document.body, { childList: true, subtree: true })

Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  agent: { disabled: true },
  defaultOpenAllTags: true,
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
})
`

/** Colours with a contrast of at least 4.5 : 1, targets of at least 24 pixels, nothing wider than a phone. */
export const referenceStyles = `
body { margin: 0 }
noscript { display: block; padding: 16px }
body.light-mode {
  --scalar-color-2: #595959;
  --scalar-color-3: #636363;
  --scalar-color-accent: #005f99;
  --scalar-color-blue: #005f99;
  --scalar-color-green: #046a46;
  --scalar-color-orange: #9c3600;
  --scalar-color-red: #b80005;
  --scalar-color-yellow: #7a5c00;
}
body.dark-mode {
  --scalar-color-2: #b4b4b4;
  --scalar-color-3: #a4a4a4;
  --scalar-color-accent: #4eb3ec;
  --scalar-color-green: #2fd070;
  --scalar-color-red: #ff8080;
}
#reference [data-sidebar-id] button { min-width: 24px; min-height: 24px }
#reference .scalar-card-content > * { min-width: 0 }
#reference { overflow-x: clip }
/* This server sends outbound events and does not receive them. */
#reference [id*="/webhook/"] .show-api-client-button { display: none }
`
