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
  /** The version of the record that controls outside it change, if they share its form. */
  readonly version?: string | undefined
  readonly children?: Child
}

const id = 'new-message'

/** The id of its form. */
export const composerForm = `${id}-form`

/** The form for a message. */
export function Composer({ label, verb, names, autofocus = false, children, ...form }: ComposerProps) {
  return (
    <Form id={composerForm} {...form}>
      <div class="composer">
        <TextArea
          id={id}
          name="body"
          label={label}
          rows={2}
          state={form.state}
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
