import { LIMITS } from '@tanya/contract';
import { buildTree } from './conversation-tree.js';
import type { SourceConversation, SourceNode } from './source-conversation.js';

const ROLES = { u: 'user', a: 'assistant', n: 'none' } as const;

/** Nodes from `id:role<parent` with the id as text, such as `q1:u a1:a<q1`. */
function conversation(nodes: string, currentId: string | null = null): SourceConversation {
  return {
    id: 'x',
    title: 'x',
    createdAt: null,
    updatedAt: null,
    isPinned: false,
    isArchived: false,
    currentId,
    nodes: nodes.split(' ').map((node): SourceNode => {
      const [, id = '', role = 'n', parent] = /^(\w+):(\w)(?:<(\w+))?$/.exec(node) ?? [];
      const parentId = parent ?? null;
      const text = role === 'n' ? '' : id;
      const common = { reasoning: '', model: null, createdAt: null, files: [] };
      return { id, parentId, role: ROLES[role as 'u'], text, ...common };
    }),
  };
}

/** Messages as `at:role<parent text`; `?` marks the place of a missing answer. */
function shown(source: SourceConversation): string[] {
  const tree = buildTree(source)!;
  return tree.messages.map(({ parent, isUserMessage, text, isMissing }, at) => {
    const active = at === tree.activeLeaf ? '*' : '';
    return `${at}:${isUserMessage ? 'u' : 'a'}<${parent ?? '-'} ${isMissing ? '?' : text.replaceAll('\n\n', '+')}${active}`;
  });
}

describe('the tree of a conversation', () => {
  it('keeps a path and skips nodes that only connect', () => {
    expect(shown(conversation('r:n s:n<r q:u<s h:n<q a:a<h'))).toEqual(['0:u<- q', '1:a<0 a*']);
  });

  it('keeps the versions of answers and questions in their order', () => {
    expect(shown(conversation('q:u a1:a<q a2:a<q q2:u<a1 a3:a<q2 q3:u<a1 a4:a<q3', 'a3'))).toEqual([
      '0:u<- q',
      '1:a<0 a1',
      '2:u<1 q2',
      '3:a<2 a3*',
      '4:u<1 q3',
      '5:a<4 a4',
      '6:a<0 a2',
    ]);
  });

  it('orders versions by the list of their parent, then by time, then by the order of the file', () => {
    const listed = conversation('q:u c:a<q b:a<q a:a<q d:a<q');
    listed.nodes[0]!.childIds = ['a', 'b', 4, 'unknown'];
    expect(shown(listed)).toEqual(['0:u<- q', '1:a<0 a', '2:a<0 b', '3:a<0 c', '4:a<0 d*']);
    const timed = conversation('q:u c:a<q b:a<q a:a<q');
    timed.nodes[3]!.createdAt = 1;
    timed.nodes[2]!.createdAt = 2;
    expect(shown(timed)).toEqual(['0:u<- q', '1:a<0 a', '2:a<0 b', '3:a<0 c*']);
  });

  it('keeps several first questions as versions', () => {
    expect(shown(conversation('r:n q1:u<r a1:a<q1 q2:u<r a2:a<q2', 'a1'))).toEqual([
      '0:u<- q1',
      '1:a<0 a1*',
      '2:u<- q2',
      '3:a<2 a2',
    ]);
  });

  it('joins consecutive nodes of an answer', () => {
    expect(shown(conversation('q:u t:a<q o:n<t a:a<o q2:u<a a2:a<q2'))).toEqual([
      '0:u<- q',
      '1:a<0 t+a',
      '2:u<1 q2',
      '3:a<2 a2*',
    ]);
  });

  it('shares the beginning of an answer between its versions', () => {
    expect(shown(conversation('q:u t:a<q x:a<t y:a<t', 'x'))).toEqual(['0:u<- q', '1:a<0 t+x*', '2:a<0 t+y']);
  });

  it('adds the place of a missing answer, between two questions and at the end', () => {
    expect(shown(conversation('q1:u q2:u<q1'))).toEqual(['0:u<- q1', '1:a<0 ?', '2:u<1 q2', '3:a<2 ?*']);
  });

  it('begins with an answer when the export does', () => {
    expect(shown(conversation('a:a q:u<a b:a<q'))).toEqual(['0:a<- a', '1:u<0 q', '2:a<1 b*']);
  });

  it('shows the leaf below the current node, through a node without a message', () => {
    expect(shown(conversation('q:u a:a<q n:n<a q2:u<a b:a<q2', 'n')).at(-1)).toBe('3:a<2 b*');
    expect(shown(conversation('q:u a:a<q', 'unknown')).at(-1)).toBe('1:a<0 a*');
  });

  it('ignores circles and unknown parents', () => {
    expect(shown(conversation('a:a<b b:a<a q:u<nowhere c:a<q'))).toEqual(['0:u<- q', '1:a<0 c*']);
    expect(buildTree(conversation('a:a<b b:a<a'))).toBeNull();
    expect(buildTree(conversation('r:n'))).toBeNull();
  });

  it('follows the lists of children where nodes name no parent', () => {
    const source = conversation('r:n q1:u a1:a q2:u a2:a', 'a2');
    const lists: Record<string, unknown[]> = { r: ['q1', 4], q1: ['a1', 'a2'], a1: ['q2'], q2: ['a2'], a2: ['a2'] };
    for (const node of source.nodes) node.childIds = lists[node.id]!;
    source.nodes[4]!.parentId = 'q2';
    expect(shown(source)).toEqual(['0:u<- q1', '1:a<0 a1', '2:u<1 q2', '3:a<2 a2*']);
  });

  it('cuts a long message and removes half characters', () => {
    const long = conversation('q:u a:a<q');
    long.nodes[1]!.text = `${'x'.repeat(LIMITS.answerCharacters - 1)}💥`;
    const [, answer] = buildTree(long)!.messages;
    expect([answer!.isCut, answer!.text.length, answer!.text.isWellFormed()]).toEqual([
      true,
      LIMITS.answerCharacters,
      true,
    ]);
  });

  it('refuses a conversation above the bounds, also when it is one long path', () => {
    const path = (count: number) =>
      conversation(Array.from({ length: count }, (_, at) => `m${at + 1}:${at % 2 ? 'a' : 'u'}<m${at}`).join(' '));
    expect(buildTree(path(20_000))!.messages).toHaveLength(20_000);
    expect(buildTree(path(20_001))).toBeNull();
    const questions = Array.from({ length: 10_001 }, (_, at) => `m${at + 1}:u<m${at}`).join(' ');
    expect(buildTree(conversation(questions))).toBeNull();
  });

  it('refuses a long answer with thousands of ends, each of which would repeat it', () => {
    const answer = Array.from({ length: 10_000 }, (_, at) => `m${at + 1}:a<m${at}`);
    const endsOf = (count: number) => Array.from({ length: count }, (_, at) => `e${at}:a<m10000`);
    const treeOf = (count: number) => {
      const long = conversation([...answer, ...endsOf(count)].join(' '));
      for (const node of long.nodes) node.text = '';
      return buildTree(long);
    };
    expect(treeOf(90)!.messages).toHaveLength(90);
    expect(treeOf(9_000)).toBeNull();
  });
});
