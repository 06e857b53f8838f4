import { Choices } from '../../ui/components/form.tsx'
import type { FormState } from '../../ui/forms.ts'

/** The choice of each form that sets or resets a password. */
export const EndPersonalTokens = ({ state }: { readonly state: FormState }) => (
  <Choices
    name="end_personal_tokens"
    label="Personal access tokens"
    options={[
      {
        value: 'true',
        label: 'End all personal access tokens',
        hint: 'Clear this only if no one else can know them. API tokens of workspaces stay valid.',
      },
    ]}
    state={state}
  />
)
