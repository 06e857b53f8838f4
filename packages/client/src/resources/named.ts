/** A person or thing with its id and name. */
export interface Named {
  id: number
  name: string
}
