import { buildTree, toTreeMessage, type TreeMessage } from './conversation-tree.js';
import type { SourceConversation, SourceNode } from './source-conversation.js';

/** The messages of a conversation in the order in which they are written; they can be read any number of times. */
export interface MessageTree {
  messages: Iterable<TreeMessage>;
  activeLeaf: number;
}

/** @returns null for a conversation without messages, and for one that cannot be read within the bounds */
export function treeOf(conversation: SourceConversation): MessageTree | null {
  const { stored, isTooLong, currentId } = conversation;
  if (isTooLong) return null;
  if (stored === undefined) return buildTree(conversation);
  const messages = () => placed(stored, currentId);
  const reading = messages();
  let next = reading.next();
  while (!next.done) next = reading.next();
  return next.value === null ? null : { messages: { [Symbol.iterator]: messages }, activeLeaf: next.value };
}

/**
 * The messages of a long thread of this product, placed one after the other: in its exports a parent stands before its
 * children, and questions and answers take turns. As in other conversations, a question without an answer gets the place
 * of one.
 * @returns the position of the shown end; null for nodes in another order
 */
function* placed(nodes: Iterable<SourceNode>, currentId: string | null): Generator<TreeMessage, number | null> {
  const places = new Map<string, number>();
  const isQuestion: boolean[] = [];
  const missing = new Map<number, number>();
  const newest = new Map<number, number>();
  const place = (parent: number | null, isUserMessage: boolean): number => {
    const at = isQuestion.push(isUserMessage) - 1;
    if (parent !== null) newest.set(parent, at);
    return at;
  };
  for (const node of nodes) {
    const isUserMessage = node.role === 'user';
    let parent = node.parentId === null ? null : places.get(node.parentId);
    if (parent === undefined || places.has(node.id)) return null;
    if (parent !== null && isQuestion[parent] === isUserMessage) {
      if (!isUserMessage) return null;
      let answer = missing.get(parent);
      if (answer === undefined) {
        answer = place(parent, false);
        yield toTreeMessage([], parent, false, true);
        missing.set(parent, answer);
      }
      parent = answer;
    }
    places.set(node.id, place(parent, isUserMessage));
    yield toTreeMessage([node], parent, isUserMessage, true);
  }
  let leaf = places.get(currentId ?? '') ?? isQuestion.length - 1;
  for (const [at, isUserMessage] of isQuestion.entries()) {
    if (!isUserMessage || newest.has(at)) continue;
    place(at, false);
    yield toTreeMessage([], at, false, true);
  }
  for (let child = newest.get(leaf); child !== undefined; child = newest.get(leaf)) leaf = child;
  return leaf < 0 ? null : leaf;
}
