// A harness for sgf-lark fuzz: --target 'persistent: node harness.mjs'
import fs from 'node:fs'
// parse takes a Buffer; it returns the games, or undefined for the verdict alone, and throws a
// SyntaxError to reject. Any other error ends the process, which is a crash.
import {parse} from './my-parser.mjs'

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
      const games = parse(data)
      // Values are texts without escapes; "raw" is for those as they are in the file.
      reply(games === undefined ? 'accept' : `accept ${JSON.stringify({form: 'text', games})}`)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      reply(`reject ${error.message}`)
    }
  }
})
reply('ready')
