// Runs @sabaki/sgf as a target; it replies to one request after the other until standard input
// ends.
//
// node sabaki.cjs FOLDER PREFIX…: the package is installed in FOLDER, and an error whose message
// begins with a PREFIX means "rejected". Each request is a length of four bytes, the most
// significant first, and that many bytes of input. Each reply has the same form, with JSON.

'use strict'

const fs = require('fs')
const path = require('path')

const [folder, ...prefixes] = process.argv.slice(2)
const replies = 1

function read(length) {
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    let count
    try {
      count = fs.readSync(0, buffer, filled, length - filled)
    } catch (error) {
      if (error.code === 'EAGAIN') continue
      throw error
    }
    if (count === 0) return null
    filled += count
  }
  return buffer
}

function reply(value) {
  const data = Buffer.from(JSON.stringify(value))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  let rest = Buffer.concat([head, data])
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(replies, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
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

let sgf
try {
  sgf = require(require.resolve('@sabaki/sgf', {paths: [folder]}))
  reply({ready: true})
} catch (error) {
  reply({failed: String(error.message)})
  process.exit(1)
}
for (let head = read(4); head != null; head = read(4)) {
  const data = read(head.readUInt32BE(0)) || Buffer.alloc(0)
  const before = process.cpuUsage()
  const result = run(sgf, data)
  const {user, system} = process.cpuUsage(before)
  reply({...result, seconds: (user + system) / 1e6})
}
