import { LIMITS } from '@tanya/contract';
import type { SourceConversation, SourceNode } from './source-conversation.js';
import type { OwnAnswer } from './tanya-answer.js';

/** Bounds of one conversation in memory. */
const MAX_MESSAGES = 20_000;
export const MAX_CHARACTERS = 20_000_000;
export const MAX_NODES = 20_000;

/** Bound of the nodes in all messages. A node is in every version of the answer that goes on from it. */
const MAX_JOINED_NODES = 1_000_000;

/** A message of the tree to write. Parents stand before their children, versions oldest first. */
export interface TreeMessage extends Omit<SourceNode, 'id' | 'parentId' | 'childIds' | 'role'> {
  parent: number | null;
  isUserMessage: boolean;
  /** True for the place of an answer that the export does not have. */
  isMissing: boolean;
  /** Whether the text was longer than the bound of a message. */
  isCut: boolean;
}

export interface ConversationTree {
  messages: TreeMessage[];
  activeLeaf: number;
}

/** The consecutive nodes of the AI that become one message. */
type Chain = readonly SourceNode[];

interface Visit {
  node: SourceNode;
  parent: number | null;
  chain: Chain;
}

/**
 * Builds the tree of a conversation. Consecutive nodes of the AI, as of an answer with tool calls, become one message.
 * Between two messages of the user, and after the last one, stands the place of the missing answer, so that every path
 * alternates and ends with an answer.
 * @returns null for a conversation without messages, and for one above the bounds
 */
export function buildTree({ nodes, currentId, own }: SourceConversation): ConversationTree | null {
  if (nodes.length > MAX_NODES) return null;
  return new TreeBuilder(nodes, own !== undefined).build(currentId);
}

/** The parent of each node: the one that it names, else the one that lists it. Some exports have only one of the two. */
export function parentsOf(nodes: readonly SourceNode[]): Map<string, string | null> {
  const ids = new Set(nodes.map(({ id }) => id));
  const listedBy = new Map<unknown, string>();
  for (const { id, childIds = [] } of nodes) {
    for (const child of childIds) if (child !== id && !listedBy.has(child)) listedBy.set(child, id);
  }
  const parentOf = ({ id, parentId }: SourceNode) =>
    parentId !== null && ids.has(parentId) ? parentId : (listedBy.get(id) ?? null);
  return new Map(nodes.map((node) => [node.id, parentOf(node)]));
}

/** Compares siblings by their place in the list of their parent, then by time. Otherwise the order of the file remains. */
function byVersion(childIds: readonly unknown[]): (a: SourceNode, b: SourceNode) => number {
  const places = new Map(childIds.map((id, at) => [id, at]));
  const placeOf = ({ id }: SourceNode) => places.get(id) ?? Number.MAX_SAFE_INTEGER;
  const timeOf = ({ createdAt }: SourceNode) => createdAt ?? Number.MAX_SAFE_INTEGER;
  return (a, b) => placeOf(a) - placeOf(b) || timeOf(a) - timeOf(b);
}

class TreeBuilder {
  private readonly byId: ReadonlyMap<string, SourceNode>;
  private readonly parents: ReadonlyMap<string, string | null>;
  private readonly children = new Map<string | null, SourceNode[]>();
  private readonly messages: TreeMessage[] = [];
  /** The last message that contains a node. */
  private readonly places = new Map<string, number>();
  private characters = 0;
  private joinedNodes = 0;

  /** @param isOwn whether texts and the order of versions are kept as they are */
  constructor(
    nodes: readonly SourceNode[],
    private readonly isOwn: boolean,
  ) {
    this.byId = new Map(nodes.map((node) => [node.id, node]));
    this.parents = parentsOf(nodes);
    for (const node of this.byId.values()) {
      const parent = this.parents.get(node.id) ?? null;
      const siblings = this.children.get(parent);
      if (siblings === undefined) this.children.set(parent, [node]);
      else siblings.push(node);
    }
    if (isOwn) return;
    for (const [parent, siblings] of this.children) {
      siblings.sort(byVersion(parent === null ? [] : (this.byId.get(parent)?.childIds ?? [])));
    }
  }

  build(currentId: string | null): ConversationTree | null {
    const stack: Visit[] = this.next(null).map((node) => ({ node, parent: null, chain: [] }));
    stack.reverse();
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      const following = visit.node.role === 'user' ? this.visitUser(visit) : this.visitAnswer(visit);
      stack.push(...following.reverse());
      if (this.isTooLarge()) return null;
    }
    return this.messages.length === 0 ? null : { messages: this.messages, activeLeaf: this.activeLeaf(currentId) };
  }

  private isTooLarge(): boolean {
    if (this.messages.length > MAX_MESSAGES || this.characters > MAX_CHARACTERS) return true;
    return this.joinedNodes > MAX_JOINED_NODES;
  }

  private visitUser({ node, parent }: Visit): Visit[] {
    const at = this.add([node], parent, true);
    const next = this.next(node.id);
    const questions = next.filter(({ role }) => role === 'user');
    const hole = questions.length > 0 || next.length === 0 ? this.add([], at, false) : at;
    return next.map((child) => ({ node: child, parent: child.role === 'user' ? hole : at, chain: [] }));
  }

  private visitAnswer({ node, parent, chain }: Visit): Visit[] {
    const whole = [...chain, node];
    const next = this.next(node.id);
    const isEnd = next.length === 0 || next.some(({ role }) => role === 'user');
    const at = isEnd ? this.add(whole, parent, false) : parent;
    return next.map((child) =>
      child.role === 'user' ? { node: child, parent: at, chain: [] } : { node: child, parent, chain: whole },
    );
  }

  /** The next messages below a node, through nodes that only connect. */
  private next(id: string | null): SourceNode[] {
    const found: SourceNode[] = [];
    const stack = [...(this.children.get(id) ?? [])].reverse();
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.role !== 'none') found.push(node);
      else stack.push(...[...(this.children.get(node.id) ?? [])].reverse());
    }
    return found;
  }

  private add(chain: Chain, parent: number | null, isUserMessage: boolean): number {
    const message = toTreeMessage(chain, parent, isUserMessage, this.isOwn);
    const at = this.messages.push(message) - 1;
    this.characters += charactersOf(message);
    this.joinedNodes += chain.length;
    for (const { id } of chain) this.places.set(id, at);
    return at;
  }

  /** The newest leaf below the shown end of the export, or below the last message. */
  private activeLeaf(currentId: string | null): number {
    let leaf = this.placeOf(currentId) ?? this.messages.length - 1;
    const newest = new Map(this.messages.map(({ parent }, at) => [parent, at]));
    for (let child = newest.get(leaf); child !== undefined; child = newest.get(leaf)) leaf = child;
    return leaf;
  }

  /** The message that contains a node or, for a node that only connects, its nearest predecessor. */
  private placeOf(id: string | null): number | null {
    const seen = new Set<string>();
    for (let at = id; at !== null && !seen.has(at); at = this.parents.get(at) ?? null) {
      const place = this.places.get(at);
      if (place !== undefined) return place;
      seen.add(at);
    }
    return null;
  }
}

export const charactersOf = ({ text, reasoning, answer }: Pick<TreeMessage, 'text' | 'reasoning' | 'answer'>): number =>
  text.length + reasoning.length + (answer?.partsCharacters ?? 0);

/** One message of consecutive nodes, none for a missing answer. @param isOwn whether texts are kept as they are */
export function toTreeMessage(
  chain: Chain,
  parent: number | null,
  isUserMessage: boolean,
  isOwn: boolean,
): TreeMessage {
  const joined = (texts: string[]) =>
    texts
      .map((text) => (isOwn ? text : text.trim()))
      .filter(Boolean)
      .join('\n\n');
  const whole = joined(chain.map(({ text }) => text));
  const text = whole.slice(0, LIMITS.answerCharacters).toWellFormed();
  const thoughts = joined(chain.map((node) => node.reasoning));
  const reasoning = thoughts.slice(0, LIMITS.answerCharacters).toWellFormed();
  const answer = answerOf(chain, text === whole && reasoning === thoughts);
  const files = chain.flatMap((node) => node.files);
  return {
    parent,
    isUserMessage,
    text,
    reasoning,
    model: chain.findLast(({ model }) => model !== null)?.model ?? null,
    createdAt: chain[0]?.createdAt ?? null,
    files,
    isMissing: !isUserMessage && text === '' && files.length === 0,
    isCut: whole.length > text.length,
    ...(answer && { answer }),
  };
}

/** @param isWhole whether the text was not changed, so that the parts of the answer give it */
function answerOf([node, ...others]: Chain, isWhole: boolean): OwnAnswer | undefined {
  const answer = node?.answer;
  if (answer === undefined || (isWhole && others.length === 0)) return answer;
  return { ...answer, parts: null, partsCharacters: 0 };
}
