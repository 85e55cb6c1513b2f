export function textNodes(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  return nodes;
}

/** The node and offset of a character. The end of a range belongs to the node before it. */
export function positionAt(nodes: readonly Text[], index: number, isEnd: boolean): [Text, number] {
  let rest = index;
  for (const node of nodes) {
    if (rest < node.length || (isEnd && rest === node.length)) return [node, rest];
    rest -= node.length;
  }
  throw new Error('The position is outside of the text');
}
