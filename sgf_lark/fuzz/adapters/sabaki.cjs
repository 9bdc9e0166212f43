// Runs @sabaki/sgf as a target; it replies to one request after the other until standard input
// ends.
//
// node sabaki.cjs FOLDER PREFIX…: the package is installed in FOLDER, and an error whose message
// begins with a PREFIX means "rejected". Requests and replies are those of targets.py.

'use strict'

const fs = require('fs')
const path = require('path')

const [folder, ...prefixes] = process.argv.slice(2)
function reply(text) {
  fs.writeSync(1, text + '\n')
}

function game(root) {
  const nodes = []
  const stack = [[root, null]]
  while (stack.length > 0) {
    const [node, parent] = stack.pop()
    const index = nodes.length
    nodes.push({parent, properties: Object.entries(node.data)})
    for (let i = node.children.length - 1; i >= 0; i--) stack.push([node.children[i], index])
  }
  return nodes
}

// The innermost frame of the package, as file:line function; without the line for an infinite
// recursion, whose innermost frame varies.
function place(error) {
  const recursion = error instanceof RangeError && /call stack/.test(error.message)
  const frames = String(error.stack).split('\n').slice(1)
  const frame = frames.find(line => line.includes(path.join('@sabaki', 'sgf'))) || ''
  const found = frame.match(/at (?:(\S+) )?.*?([^/\\(]+):(\d+):\d+/)
  if (found == null) return ''
  const [, name, file, line] = found
  return recursion ? `${file}: ${name || ''}` : `${file}:${line} ${name || ''}`.trim()
}

function run(sgf, data) {
  try {
    return {verdict: 'accept', tree: {form: 'text', games: sgf.parseBuffer(data).map(game)}}
  } catch (error) {
    const detail = String(error && error.message).slice(0, 500)
    const rejected = prefixes.some(prefix => detail.startsWith(prefix))
    const name = (error && error.name) || 'Error'
    return {
      verdict: rejected ? 'reject' : 'crash',
      detail: `${name}: ${detail}`,
      place: error instanceof Error ? place(error) : ''
    }
  }
}

const sgf = require(require.resolve('@sabaki/sgf', {paths: [folder]}))
let input = Buffer.alloc(0)
process.stdin.on('data', chunk => {
  input = Buffer.concat([input, chunk])
  for (let end; (end = input.indexOf('\n')) >= 0; ) {
    const last = end + 1 + Number(input.subarray(0, end))
    if (input.length < last) return
    const before = process.cpuUsage()
    const result = run(sgf, input.subarray(end + 1, last))
    const {user, system} = process.cpuUsage(before)
    input = input.subarray(last)
    reply(JSON.stringify({...result, seconds: (user + system) / 1e6}))
  }
})
reply('ready')
