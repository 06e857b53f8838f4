import { useView } from '../view-context.ts'

/** Makes a form act once, also if it is sent twice, or the page of its answer is reloaded. */
export const FormKey = ({ sent = '' }: { readonly sent?: string }) => (
  <input type="hidden" name="form_key" value={sent || useView().newKey()} />
)
