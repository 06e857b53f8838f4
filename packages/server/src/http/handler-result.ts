interface Answered {
  readonly status: number
  /** Besides those of every response. */
  readonly headers?: Readonly<Record<string, string>>
}

/** JSON, unless the headers have another content type. */
export interface TextResult extends Answered {
  readonly kind: 'text'
  readonly text: string
  /** Set for a refusal with a status below 400. */
  readonly isRefusal?: boolean
}

/** A handler's answer, by the form of its body. */
export type HandlerResult =
  | TextResult
  /** A cached list. */
  | (Answered & { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> })
  /** A response that is too large to buffer; null for HEAD. */
  | (Answered & { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> | null })
  | (Answered & { readonly kind: 'not modified'; readonly status: 304 })
