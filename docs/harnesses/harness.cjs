// A harness for sgf-lark fuzz: --target 'persistent: node harness.cjs'
'use strict'

const fs = require('fs')
// parse takes a Buffer; it returns the canonical tree, or undefined for the verdict alone, and
// throws a SyntaxError to reject. Any other error ends the process, which is a crash.
const {parse} = require('./tested_parser.cjs')

function reply(text) {
  fs.writeSync(1, text.replace(/[\r\n]+/g, ' ') + '\n')
}

let input = Buffer.alloc(0)
process.stdin.on('data', chunk => {
  input = Buffer.concat([input, chunk])
  for (let end; (end = input.indexOf('\n')) >= 0; ) {
    const length = Number(input.subarray(0, end))
    if (input.length < end + 1 + length) return
    const data = input.subarray(end + 1, end + 1 + length)
    input = input.subarray(end + 1 + length)
    try {
      const tree = parse(data)
      reply(tree === undefined ? 'accept' : `accept ${JSON.stringify(tree)}`)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      reply(`reject ${error.message}`)
    }
  }
})
reply('ready')
