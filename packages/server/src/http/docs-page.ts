import { createHash } from 'node:crypto'

// RapiDoc takes its looks from attributes of one element. What it does not decide by itself is done by the script below:
// it follows the light or dark setting, and on a phone, where its side bar is not shown, it folds the sections.

const light = { 'bg-color': '#ffffff', 'text-color': '#1f2937', 'nav-bg-color': '#f8fafc', 'nav-text-color': '#475569' }
const dark = { 'bg-color': '#0f172a', 'text-color': '#e2e8f0', 'nav-bg-color': '#0b1220', 'nav-text-color': '#94a3b8' }

const script = `
const reference = document.querySelector('rapi-doc')
const isDark = matchMedia('(prefers-color-scheme: dark)')
const isNarrow = matchMedia('(max-width: 767px)')
const colours = ${JSON.stringify({ light, dark })}
function suit() {
  const theme = isDark.matches ? 'dark' : 'light'
  const shape = isNarrow.matches
    ? { 'render-style': 'view', 'schema-style': 'tree', 'font-size': 'default' }
    : { 'render-style': 'focused', 'schema-style': 'table', 'font-size': 'large' }
  for (const [name, value] of Object.entries({ theme, ...shape, ...colours[theme] })) reference.setAttribute(name, value)
}
suit()
isDark.addEventListener('change', suit)
isNarrow.addEventListener('change', suit)
`

const styles = `
html, body { height: 100%; margin: 0 }
body { display: flex; flex-direction: column; background: #ffffff; color: #1f2937; font: 16px/1.4 system-ui, sans-serif }
header { display: flex; align-items: center; gap: 16px; padding: 10px 16px; background: #1e3a8a; color: #ffffff }
h1 { flex: 1; margin: 0; font-size: 16px; font-weight: 600 }
header a { color: #dbeafe }
rapi-doc { flex: 1; min-height: 0; min-width: 0 }
rapi-doc::part(section-auth) { overflow-x: auto }
rapi-doc::part(section-endpoint-body-expanded) { position: relative }
noscript { padding: 16px }
@media (prefers-color-scheme: dark) { body { background: #0f172a; color: #e2e8f0 } }
`

/** The page of the reference. Its addresses are relative, so that it works behind a proxy's prefix too. */
export function docsPage(rapidocVersion: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Workspace Platform: API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>${styles}</style>
<script type="module" src="docs/rapidoc-min.js?v=${rapidocVersion}"></script>
</head>
<body>
<header><h1>Workspace Platform: API reference</h1><a href="openapi.json">openapi.json</a></header>
<rapi-doc spec-url="openapi.json" primary-color="#2563eb"
  load-fonts="false" regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace"
  show-header="false" allow-server-selection="false" allow-spec-url-load="false" allow-spec-file-load="false"
  allow-spec-file-download="false" show-method-in-nav-bar="as-colored-text" nav-item-spacing="compact"
  schema-description-expanded="true" default-schema-tab="schema" fetch-credentials="omit"
></rapi-doc>
<noscript>This page needs JavaScript. The description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<script>${script}</script>
</body>
</html>
`
}

/**
 * Nothing but this server: no other host, no frame, no form. RapiDoc writes style attributes and style elements into its
 * shadow tree, so styles cannot be narrowed; scripts are ours by address or by hash.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
