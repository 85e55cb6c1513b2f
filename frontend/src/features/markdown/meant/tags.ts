import { type MeantNode, textNode } from './nodes';

const LINE_BREAK = /<\/?br[ \t]*\/?>/i;
/** Tags that change the look of text; all other HTML but the tags below stays text. */
export const INLINE = new Set([
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'del',
  'ins',
  'sub',
  'sup',
  'kbd',
  'mark',
  'small',
  'code',
]);
/** Tags that only place or colour a text, which is shown without them. */
export const NEUTRAL = new Set(['span', 'font', 'center', 'big']);
/** Lists, which models write as HTML inside of cells alone. */
const CELL_BLOCKS = new Set(['ul', 'ol', 'li', 'p']);
const TAG = /^<(\/?)([a-z]+)((?:\s[^<>]*)?)>$/i;
/** Tags inside of so many others stay text: browsers fail at deep nesting. */
const DEPTH_MAX = 20;

interface TagPlace {
  /** Whether more text may follow the last node. */
  isOpen: boolean;
  isCell: boolean;
}

/** The nodes with line breaks and marked text for their tags. A tag without its counterpart stays text. */
export function withTags(nodes: MeantNode[], { isOpen, isCell }: TagPlace): MeantNode[] {
  if (!nodes.some(({ type }) => type === 'html')) return nodes;
  const isKnown = (name: string) =>
    INLINE.has(name) || NEUTRAL.has(name) || name === 'a' || (isCell && CELL_BLOCKS.has(name));
  const result: MeantNode[] = [];
  const open: { at: number; name: string }[] = [];
  const close = ({ at, name }: { at: number; name: string }) => {
    const [opening] = result.splice(at, 1);
    if (NEUTRAL.has(name)) return;
    const url = name === 'a' ? attributeOf(opening!.value ?? '', 'href') : '';
    if (name !== 'a') result.push({ type: 'emphasis', data: { hName: name }, children: result.splice(at) });
    else if (url !== '') result.push({ type: 'link', url, children: result.splice(at).flatMap(unlinked) });
  };
  for (const node of nodes) {
    const [, slash = '', tag = '', attributes = ''] = (node.type === 'html' && TAG.exec(node.value ?? '')) || [];
    const name = tag.toLowerCase();
    if (name === 'img' && slash === '') result.push(picture(attributes) ?? node);
    else if (!isKnown(name)) result.push(...(node.type === 'html' ? withBreaks(node) : [node]));
    else if (slash === '' && open.length < DEPTH_MAX) open.push({ at: result.push(node) - 1, name });
    else if (slash !== '' && open.at(-1)?.name === name) close(open.pop()!);
    else result.push(node);
  }
  if (isOpen) while (open.length > 0) close(open.pop()!);
  return result;
}

/** A bare address inside of a link is a link already. */
const unlinked = (node: MeantNode): MeantNode[] => (node.type === 'link' ? (node.children ?? []) : [node]);

/** The picture of an `<img>`; null without an address. */
export function picture(attributes: string): MeantNode | null {
  const url = attributeOf(attributes, 'src');
  return url === '' ? null : { type: 'image', url, alt: attributeOf(attributes, 'alt') };
}

const ENTITIES: Record<string, string> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };

function attributeOf(tag: string, name: string): string {
  const [, quoted, single, bare] =
    new RegExp(String.raw`\s${name}\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, 'i').exec(tag) ?? [];
  return (quoted ?? single ?? bare ?? '').replace(/&(amp|quot|#39|lt|gt);/g, (_, entity: string) => ENTITIES[entity]!);
}

function withBreaks(html: MeantNode): MeantNode[] {
  const [first = '', ...rest] = html.value?.split(LINE_BREAK) ?? [];
  return [{ ...html, value: first }, ...rest.flatMap((value) => [{ type: 'break' }, { ...html, value }])];
}

const DETAILS = /^<details\b[^>]*>/i;
const SUMMARY = /^<summary\b[^>]*>/i;
const SUMMARY_END = /<\/summary>/i;
const ALL_TAGS = /<[^<>]*>/g;
/** The element of a folded text. */
export const FOLDED = 'details';

/** The summary of a folded text that begins here, and what follows it; null for other HTML. */
function foldedIn(html: string): { summary: string; rest: string } | null {
  const [details] = DETAILS.exec(html) ?? [];
  if (details === undefined) return null;
  const content = html.slice(details.length).trimStart();
  const [opening] = SUMMARY.exec(content) ?? [];
  const end = SUMMARY_END.exec(content);
  if (opening === undefined) return { summary: '', rest: content };
  // It grows, or the model forgot its end.
  if (end === null) return { summary: content.slice(opening.length), rest: '' };
  return {
    summary: content.slice(opening.length, end.index),
    rest: content.slice(end.index + end[0].length).trimStart(),
  };
}

/**
 * The blocks with those between `<details>` and `</details>` folded under their summary.
 * @param depth the number of folded texts around them
 */
export function withFolded(nodes: MeantNode[], depth: number): MeantNode[] {
  const result: MeantNode[] = [];
  const open: { at: number; summary: string; rest: string }[] = [];
  const close = ({ at, summary, rest }: (typeof open)[number]) => {
    const content = [...(rest ? [paragraph(rest)] : []), ...result.splice(at)];
    const title = {
      ...paragraph(summary.replace(ALL_TAGS, '').replaceAll('**', '').trim()),
      data: { hName: 'summary' },
    };
    result.push({ type: 'blockquote', data: { hName: FOLDED }, children: summary ? [title, ...content] : content });
  };
  for (const node of nodes) {
    const value = node.type === 'html' ? (node.value?.trim() ?? '') : '';
    const folded = foldedIn(value);
    if (folded !== null && depth + open.length < DEPTH_MAX) open.push({ at: result.length, ...folded });
    else if (open.length > 0 && /^<\/details>/i.test(value)) close(open.pop()!);
    else result.push(node);
  }
  // Models forget the end at times.
  while (open.length > 0) close(open.pop()!);
  return result;
}

const paragraph = (text: string): MeantNode => ({ type: 'paragraph', children: [textNode(text)] });
