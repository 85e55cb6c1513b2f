import { decoded } from './anchors';
import type { Block } from './blocks';
import type { MarkdownNode } from './nodes';

const DEFINITION = /^ {0,3}\[\^([^\]\s]+)\]:/gm;
const REFERENCE = /(?<!\\)\[\^([^\]\s]+)\]/g;
const CODE_SPAN = /(?<!`)(`+)(?!`)[^]*?[^`]\1(?!`)/g;

/** What a block needs to show its part of the footnotes of a whole text. */
export type BlockNotes =
  /** Its references: definitions that only make them links, and the number and the earlier uses of each label. */
  | { kind: 'references'; definitions: string; uses: ReadonlyMap<string, { number: number; earlier: number }> }
  /** The references of all blocks before it, so that the notes at its end have the numbers and the links of the text. */
  | { kind: 'notes'; references: string };

interface NotedBlock {
  block: Block;
  notes?: BlockNotes;
}

/**
 * The blocks of a finished text with what they need for its footnotes, which are numbered over the whole text and shown at
 * its end. Blocks before the first definition stay as they were while the text grew; those from it on become one.
 */
export function noteBlocks(blocks: readonly Block[]): NotedBlock[] {
  const isDefining = (block: Block) => block.kind === 'text' && block.source.search(DEFINITION) !== -1;
  const first = blocks.findIndex(isDefining);
  if (first === -1) return blocks.map((block) => ({ block }));
  const rest = blocks.slice(first).map(sourceOf).join('');
  const defined = new Set([...rest.matchAll(DEFINITION)].map(labelOf));
  const numbers = new Map<string, number>();
  const counts = new Map<string, number>();
  const references: string[] = [];
  const noted = blocks.slice(0, first).map((block): NotedBlock => {
    const labels = block.kind === 'text' ? labelsIn(block.source).filter((label) => defined.has(label)) : [];
    if (labels.length === 0) return { block };
    for (const label of labels) if (!numbers.has(label)) numbers.set(label, numbers.size + 1);
    const own = [...new Set(labels)];
    const uses = new Map(
      own.map((label) => [label, { number: numbers.get(label)!, earlier: counts.get(label) ?? 0 }] as const),
    );
    for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
    references.push(...labels.map((label) => `[^${label}]`));
    return { block, notes: { kind: 'references', definitions: own.map((label) => `[^${label}]: -`).join('\n'), uses } };
  });
  return [
    ...noted,
    { block: { kind: 'text', source: rest }, notes: { kind: 'notes', references: references.join(' ') } },
  ];
}

const labelOf = (match: RegExpExecArray): string => match[1]!.toLowerCase();

const labelsIn = (source: string): string[] => [...source.replace(CODE_SPAN, '').matchAll(REFERENCE)].map(labelOf);

/** The Markdown of a block, with what separates it from the next one. */
function sourceOf(block: Block): string {
  if (block.kind === 'text' && block.list && block.source.endsWith('\n')) return block.source;
  if (block.kind !== 'code') return `${block.source}\n\n`;
  const longest = Math.max(2, ...(block.code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${block.language}\n${block.code}\n${fence}\n\n`;
}

/** The source with the references and definitions that its notes need. */
export function withNotes(source: string, notes: BlockNotes | undefined): string {
  if (!notes) return source;
  if (notes.kind === 'references') return `${source}\n\n${notes.definitions}`;
  return notes.references === '' ? source : `${notes.references}\n\n${source}`;
}

/**
 * Gives references without a definition an element of their own, so that the text around them stays in its place in the
 * page when they become links.
 */
export function remarkReferences() {
  return separateReferences;
}

function separateReferences(parent: MarkdownNode): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    separateReferences(node);
    if (node.type !== 'text' || !node.value?.includes('[^')) return [node];
    return node.value.split(/(\[\^[^\]\s]+\])/).map((value, index): MarkdownNode => {
      const text = { type: 'text', value };
      return index % 2 === 0 ? text : { type: 'emphasis', data: { hName: 'span' }, children: [text] };
    });
  });
}

/** A node of hast, as far as this file reads it. */
interface ElementNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: ElementNode[];
}

/** Removes what `withNotes` has added, and gives references their numbers in the whole text. */
export function rehypeNotes(notes: BlockNotes | undefined) {
  return (root: ElementNode) => {
    if (!notes || !root.children) return;
    if (notes.kind === 'references') {
      root.children = root.children.filter(({ properties }) => properties?.dataFootnotes === undefined);
      number(root, notes.uses);
    } else if (notes.references !== '') {
      root.children = root.children.slice(root.children.findIndex(({ tagName }) => tagName === 'p') + 1);
    }
  };
}

function number(parent: ElementNode, uses: (BlockNotes & { kind: 'references' })['uses']): void {
  for (const node of parent.children ?? []) {
    const { properties, children } = node;
    if (properties?.dataFootnoteRef === undefined) {
      number(node, uses);
      continue;
    }
    // The address has the label alone, the id also which of its references this is.
    const [, prefix = '', label = ''] = /^#(.*?)fn-(.*)$/.exec(String(properties.href)) ?? [];
    const id = `${prefix}fnref-${label}`;
    const use = uses.get(label) ?? uses.get(decoded(label));
    if (!use) continue;
    const count = use.earlier + Number(String(properties.id).slice(id.length + 1) || 1);
    properties.id = `${id}${count > 1 ? `-${count}` : ''}`;
    if (children?.[0]) children[0].value = String(use.number);
  }
}
