import type { Child } from 'hono/jsx'
import { Button } from './button.tsx'
import { type Option, Options } from './form.tsx'

interface InlineField {
  readonly id: string
  readonly name: string
  readonly value: string
  /** Where it is sent by itself. */
  readonly action: string
  /** Of what is changed, so that nobody overwrites what somebody else has changed meanwhile. */
  readonly version: string | undefined
}

/** One of several, saved as soon as it is chosen. */
export const InlineSelect = ({
  options,
  mark,
  ...field
}: InlineField & { options: readonly Option[]; mark?: Child }) => (
  <Saved {...field}>
    {mark}
    <select class="select" id={field.id} name={field.name}>
      <Options options={options} value={field.value} />
    </select>
  </Saved>
)

/** A day, saved as soon as it is chosen. */
export const InlineDay = (field: InlineField) => (
  <Saved {...field}>
    <input
      class={field.value === '' ? 'input quiet' : 'input'}
      type="date"
      id={field.id}
      name={field.name}
      value={field.value}
    />
  </Saved>
)

/** A form of one control, which a script sends when it changes. Without one there is a button. */
function Saved({ action, version, children }: Pick<InlineField, 'action' | 'version'> & { readonly children: Child }) {
  return (
    <form method="post" action={action} class="inline-field" data-save>
      {version !== undefined && <input type="hidden" name="version" value={version} />}
      {children}
      <noscript>
        <Button small>Save</Button>
      </noscript>
    </form>
  )
}
