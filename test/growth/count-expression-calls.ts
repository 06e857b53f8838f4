/** Counts the regular expression calls of some work, because the count is the same on every machine. */
export async function countExpressionCalls(work: () => unknown): Promise<number> {
  const { exec } = RegExp.prototype
  let calls = 0
  RegExp.prototype.exec = function counted(text) {
    calls += 1
    return exec.call(this, text)
  }
  try {
    await work()
  } finally {
    RegExp.prototype.exec = exec
  }
  return calls
}
