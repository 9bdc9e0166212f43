const tree = [
  [
    { parent: null, properties: [['C', ['a"\\\n\u00e9']], ['AB', ['aa', 'bb']]] },
    { parent: 0, properties: [] },
    { parent: 0, properties: [['W', ['']]] },
  ],
  [{ parent: null, properties: [] }],
]

export function parse(data) {
  const text = data.toString('latin1')
  if (text.startsWith('(crash')) throw new TypeError('crash')
  while (text.startsWith('(hang')) {}
  if (text.startsWith('(tree')) return tree
  if (!text.startsWith('(')) throw new SyntaxError('no\nSGF')
}
