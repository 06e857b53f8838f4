export default () => globalThis.platform.close()
