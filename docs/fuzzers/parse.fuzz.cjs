// For `npx jazzer parse.fuzz.cjs corpus -- -dict=sgf.dict`; Jazzer.js has no custom mutators, so the
// words of the dictionary and the seeds have to do.
'use strict'

const {parse} = require('your-parser')

// Errors that mean "rejected" are not findings.
module.exports.fuzz = data => {
  try {
    parse(data)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
}
