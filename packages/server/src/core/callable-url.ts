/** Whether the text is a URL that a client can call. A server can listen on port 0, but never be reached on it. */
export const isCallableUrl = (text: string): boolean => URL.canParse(text) && new URL(text).port !== '0'
