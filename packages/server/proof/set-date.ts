// Loaded first in a process of the clock proof, so that a message can set the machine's clock for this process
// alone. Monotonic time (`performance.now`, timers) is not affected, as on a real machine.

const realNow = Date.now.bind(Date)
const RealDate = Date
let offMs = Number(process.env['CLOCK_OFF_MS'] ?? 0)

Date.now = () => realNow() + offMs
// A date without arguments is a reading of the clock too.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + offMs] : given, newTarget) as Date, // what the target makes
})

process.on('message', (message: { readonly setBy?: number }) => {
  offMs += message.setBy ?? 0
})
