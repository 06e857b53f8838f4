type Fetch = (request: Request) => Promise<Response>

/**
 * What a network `fetch` does besides asking: it gives up as soon as its signal says so, whatever the server is doing,
 * and its answer knows the URL.
 */
export async function answerLikeFetch(request: Request, fetch: Fetch): Promise<Response> {
  const response = await untilAborted(request.signal, () => fetch(request))
  return Object.defineProperty(response, 'url', { value: request.url })
}

function untilAborted(signal: AbortSignal, work: () => Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
