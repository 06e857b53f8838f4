import type { Child } from 'hono/jsx'
import type { FormState } from '../forms.ts'
import { Button } from './button.tsx'
import { Form, TextArea } from './form.tsx'

interface ComposerProps {
  readonly action: string
  readonly state: FormState
  readonly label: string
  /** The label of its button. */
  readonly verb: string
  /** Names that @ completes. */
  readonly names: readonly { readonly name: string }[]
  readonly autofocus?: boolean
  readonly children?: Child
}

/** The form for a message. */
export function Composer({ action, state, label, verb, names, autofocus = false, children }: ComposerProps) {
  const id = 'new-message'
  return (
    <Form action={action} state={state}>
      <div class="composer">
        <TextArea
          id={id}
          name="body"
          label={label}
          rows={2}
          state={state}
          hint="@ and a name mention a member."
          mentions={`${id}-names`}
          autofocus={autofocus}
        />
        <datalist id={`${id}-names`}>
          {[...new Set(names.map(({ name }) => name))].map((name) => (
            <option value={name} />
          ))}
        </datalist>
        {children}
        <Button variant="primary" icon="send">
          {verb}
        </Button>
      </div>
    </Form>
  )
}
