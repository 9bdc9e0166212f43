// Writes a canonical tree with @sabaki/sgf: node sabaki_write.cjs FOLDER, where the package is
// installed. The tree is JSON on standard input, {"charset": …, "games": […]}; the file is printed.

'use strict'

const fs = require('fs')

const sgf = require(require.resolve('@sabaki/sgf', {paths: [process.argv[2]]}))
const {charset, games} = JSON.parse(fs.readFileSync(0, 'utf8'))

const roots = games.map(nodes => {
  const made = nodes.map(({properties}) => ({data: Object.fromEntries(properties), children: []}))
  nodes.forEach(({parent}, index) => {
    if (parent != null) made[parent].children.push(made[index])
  })
  return made[0]
})
fs.writeSync(1, Buffer.from(sgf.stringify(roots), charset === 'UTF-8' ? 'utf8' : 'latin1'))
