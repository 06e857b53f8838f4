module.exports = {
  testMatch: ['**/*.test.mjs'],
}
