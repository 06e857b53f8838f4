/** The package has no types. */
declare module 'openapi-to-postmanv2' {
  export interface Conversion {
    readonly result: boolean
    readonly reason?: string
    readonly output?: readonly { readonly data: { readonly variable: readonly object[] } }[]
  }
  interface Converter {
    convertV2(
      input: { readonly type: 'json'; readonly data: object },
      options: object,
      done: (error: Error | null, conversion?: Conversion) => void,
    ): void
  }
  const converter: Converter
  export default converter
}
