import { type MeantNode, textNode } from './nodes';

const STARS = /(?<!\*)\*\*(?!\*)/g;
/** A letter or digit of a script that separates words by spaces. */
const LETTER = /[\p{L}\p{N}_](?<![\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])/u;
/** What no bold text ends with. */
const OPENING = /[\p{Ps}\s]/u;
/** Names of Python, in which underscores are no emphasis. */
const DUNDER = /^(?:init|main|name|file|dict|doc|class|call|new|all|repr|str|len|iter|next|enter|exit|version|future)$/;
/** A factor of a product such as 5*3*2 or a*b*c, and what stands before and after such a one. */
const FACTOR = /^(?:\d[\d.,]*|[A-Za-z])$/;
const BEFORE = /(?:^|[^A-Za-z0-9])(?:[\d.,]{0,19}\d|[A-Za-z])$|\)$/;
const AFTER = /^(?:\d|\(|[A-Za-z](?![A-Za-z0-9]))/;

/** The nodes with bold text where its stars open or close it for a reader, and without emphasis where stars multiply. */
export function withEmphasis(nodes: MeantNode[], source: string): MeantNode[] {
  const isMispaired = (node: MeantNode) => isNested(node, source);
  const flat = nodes.some(isMispaired)
    ? joined(nodes.flatMap((node) => (isMispaired(node) ? unpaired(node) : [node])))
    : nodes;
  const plain = flat.flatMap((node) => {
    const mark = writtenMark(node, source);
    return mark === '' ? [node] : [textNode(mark), ...(node.children ?? []), textNode(mark)];
  });
  const bold = plain.some((node) => hasStars(node, source)) ? withBold(plain, source) : plain;
  return bold.flatMap((node) => withBracketed(node, source));
}

/**
 * A text in brackets or quotes between stars, the second of which stands before a letter. It has words, and no sign of a
 * product's sum between blanks.
 */
const BRACKETED =
  /(?<![A-Za-z0-9*_])\*([([“"（「『](?=[^*\n]{0,200}(?:[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]|\p{L}{2}\s+\p{L}{2}))(?![^*\n]{0,200}\s[-+/=]\s)[^*\n]{1,200}[)\]”"）」』])\*(?=\p{L})/u;

function withBracketed(node: MeantNode, source: string): MeantNode[] {
  if (node.type !== 'text' || !BRACKETED.test(node.value ?? '') || isEscaped(node, source)) return [node];
  const parts = node.value!.split(new RegExp(BRACKETED, 'gu'));
  return parts
    .map((part, index) => (index % 2 === 1 ? { type: 'emphasis', children: [textNode(part)] } : textNode(part)))
    .filter(isShown);
}

const isEscaped = ({ position }: MeantNode, source: string): boolean =>
  position !== undefined && source.slice(position.start.offset, position.end.offset).includes('\\*');

/** Bold text in bold text whose stars, directly after punctuation, opened it where they were meant to close it. */
const isNested = ({ type, children = [] }: MeantNode, source: string): boolean =>
  type === 'strong' &&
  children.some(
    (child) =>
      child.type === 'strong' &&
      (/\S/.test(source[(child.position?.start.offset ?? 0) - 1] ?? '') || isNested(child, source)),
  );

/** Bold text with its stars as text, and so with all bold texts inside of it. */
function unpaired(node: MeantNode): MeantNode[] {
  const { type, children = [], position } = node;
  const [start, end] = [position?.start.offset, position?.end.offset];
  if (type !== 'strong' || start === undefined || end === undefined) return [node];
  const stars = (offset: number): MeantNode => ({
    ...textNode('**'),
    position: { start: { offset }, end: { offset: offset + 2 } },
  });
  return [stars(start), ...children.flatMap(unpaired), stars(end - 2)];
}

/** The nodes with texts that follow each other in the source as one text. */
function joined(nodes: readonly MeantNode[]): MeantNode[] {
  const result: MeantNode[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const follows = last?.position && node.position && last.position.end.offset === node.position.start.offset;
    if (!follows || last.type !== 'text' || node.type !== 'text') result.push(node);
    else {
      const value = `${last.value}${node.value}`;
      result[result.length - 1] = {
        ...last,
        value,
        position: { start: last.position!.start, end: node.position!.end },
      };
    }
  }
  return result;
}

/** The marks of an emphasis that are signs of their own: products, powers, names of Python. Empty for all others. */
function writtenMark({ type, children, position }: MeantNode, source: string): string {
  const start = position?.start.offset;
  const end = position?.end.offset;
  const length = type === 'strong' ? 2 : type === 'emphasis' ? 1 : 0;
  if (length === 0 || start === undefined || end === undefined) return '';
  const mark = source.slice(start, start + length);
  const text = source.slice(start + length, end - length);
  if (mark === '__') return children?.length === 1 && DUNDER.test(text) ? mark : '';
  const isBetween =
    mark !== '_' && BEFORE.test(source.slice(Math.max(0, start - 20), start)) && AFTER.test(source.slice(end, end + 2));
  // The second star of `f(*args, x), 2*3`.
  const isFactor = mark === '*' && /\d$/.test(text) && /\d/.test(source[end] ?? '');
  const isProduct = isBetween && (/\s/.test(text) || FACTOR.test(text) || (length === 2 && /\d/.test(source[end]!)));
  return isProduct || isFactor ? mark : '';
}

/** Whether a text shows stars that its source does not escape. */
const hasStars = ({ type, value, position }: MeantNode, source: string): boolean =>
  type === 'text' &&
  position !== undefined &&
  (value?.includes('**') ?? false) &&
  !isEscaped({ type, position }, source);

function withBold(nodes: MeantNode[], source: string): MeantNode[] {
  const result: MeantNode[] = [];
  /** The index in the result from which the text is bold. */
  let open: number | null = null;
  for (const [index, node] of nodes.entries()) {
    if (!hasStars(node, source)) {
      result.push(node);
      continue;
    }
    const value = node.value!;
    let from = 0;
    for (const { index: at } of value.matchAll(STARS)) {
      const before = at > 0 ? value[at - 1]! : index > 0 ? '' : '\n';
      const after = value[at + 2] ?? (index < nodes.length - 1 ? '' : '\n');
      // "**Note: **text"
      const isLate: boolean = before === ' ' && /[:：]/.test(value[at - 2] ?? '') && open === 0 && /\S/.test(after);
      if (open !== null && (isLate || !OPENING.test(before))) {
        result.push(textNode(value.slice(from, at).trimEnd()));
        const children = result.splice(open).filter(isShown);
        result.push({ type: 'strong', children }, textNode(isLate ? ' ' : ''));
        open = null;
        from = at + 2;
      } else if (open === null && !/\s/.test(after) && !LETTER.test(before)) {
        if (at > 0) result.push(textNode(value.slice(from, at)));
        open = result.length;
        from = at + 2;
      }
    }
    result.push(textNode(value.slice(from)));
  }
  // Stars without a counterpart stay.
  if (open !== null) result.splice(open, 0, textNode('**'));
  return result.filter(isShown);
}

const isShown = ({ type, value }: MeantNode): boolean => type !== 'text' || value !== '';
