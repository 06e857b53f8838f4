import type { Child } from 'hono/jsx'
import { Button } from './button.tsx'

/** A code block with a copy button. */
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

/** Code samples in several languages, one visible at a time. */
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

/** Copies the text of another element. Without JavaScript, one click selects the text. */
function CopyButton({ of, label = 'Copy' }: { readonly of: string; readonly label?: string }) {
  return (
    <ui-copy of={of}>
      <Button type="button" icon="copy" small variant="quiet" label={label} />
    </ui-copy>
  )
}

/** A secret that is shown once. */
export function Secret({
  id,
  value,
  label,
  hint = 'This secret is shown only once. Store it now, for example in a password manager.',
}: {
  readonly id: string
  readonly value: string
  readonly label: string
  readonly hint?: string
}) {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="secret">
        <code id={id}>{value}</code>
        <CopyButton of={id} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <p class="hint">{hint}</p>
    </fieldset>
  )
}

/** Copyable text, such as an address. */
export function Copyable({
  id,
  value,
  label,
}: {
  readonly id: string
  readonly value: string
  readonly label: string
}) {
  return (
    <div class="secret">
      <code id={id}>{value}</code>
      <CopyButton of={id} label={`Copy ${label}`} />
    </div>
  )
}
