/** A person or thing that an answer names beside its id. */
export interface Named {
  id: number
  name: string
}
