import type { Child } from 'hono/jsx'
import { CopyButton } from './secret.tsx'

/** Lines of code, with a button that copies them. */
export function Code({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: Child
}) {
  return (
    <div class="code">
      <div class="code-head">
        <span class="meta">{title}</span>
        <CopyButton of={id} label={`Copy: ${title}`} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot hold code as it is written */}
      <pre id={id} tabindex={0} role="group" aria-label={title}>
        <code>{children}</code>
      </pre>
    </div>
  )
}

/** The same in several languages; one is open at a time. */
export function Languages({
  id,
  samples,
}: {
  readonly id: string
  readonly samples: readonly { readonly language: string; readonly code: string }[]
}) {
  return (
    <div class="languages card">
      {samples.map(({ language, code }, index) => (
        <details name={id} open={index === 0}>
          <summary>{language}</summary>
          <Code id={`${id}-${index}`} title={language}>
            {code}
          </Code>
        </details>
      ))}
    </div>
  )
}
