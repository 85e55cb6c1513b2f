import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import type { MarkdownNode } from './nodes';

type Extension = ReturnType<typeof gfmAutolinkLiteral>;
type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>;
type Tokenizer = Construct['tokenize'];
type State = ReturnType<Tokenizer>;
type Code = Parameters<State>[0];

/**
 * A character that ends a bare address: a quote, and the brackets and stops of all scripts except ASCII, whose rules GFM
 * has. Middle dots and Hebrew marks stand inside of words.
 */
export const ADDRESS_END = /["]|(?![\0-\x7F·‧・׳״])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}]/u;
/** A host that is complete before a letter of a script without spaces: no top-level domain mixes scripts. */
const ASCII_HOST = /^(?:https?:\/\/)?[\w.-]+\.[a-z]{2,}(?::\d+)?$/i;
/** Japanese particles, which follow an address without a space: no path goes on with them after a Latin letter. */
const PARTICLE = /\p{scx=Hiragana}/u;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]/u;

/** GFM reads all stops again after each stop. An address ends where so many characters were read again. */
const MAX_REREAD = 10_000;

const SPACE = 32;
const STAR = 42;
const NOT_ASCII = 128;

/** Ends bare addresses before full-width punctuation, and starts them after any letter of such a script. */
export function remarkAddresses(this: unknown) {
  const processor = this as { data: () => { micromarkExtensions?: Extension[] } };
  (processor.data().micromarkExtensions ??= []).push(addressSyntax());
  return cutAddresses;
}

/** The constructs of GFM for addresses, which read a character that ends an address as a space. */
function addressSyntax(): Extension {
  const text = gfmAutolinkLiteral().text ?? {};
  const named = (name: string, code: string) =>
    [text[code.charCodeAt(0)] ?? []].flat().find((construct) => construct.name === name)!;
  const protocol = { ...bounded(named('protocolAutolink', 'h')), name: 'boundedProtocol' };
  const www = named('wwwAutolink', 'w');
  const boundedWww: Construct = {
    ...bounded(www),
    name: 'boundedWww',
    previous(code) {
      return (code !== null && code >= NOT_ASCII) || www.previous!.call(this, code);
    },
  };
  const codes = (letters: string, construct: Construct) =>
    [...letters].map((letter) => [letter.charCodeAt(0), construct] as const);
  return {
    text: Object.fromEntries([...codes('Hh', protocol), ...codes('Ww', boundedWww)]),
    disable: { null: ['protocolAutolink', 'wwwAutolink'] },
  };
}

function bounded(construct: Construct): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const start = this.now();
      let current: Code = null;
      let hasEnded = false;
      /** The place of the first character that is not ASCII, and whether it ends the address. */
      let first: { offset: number; isEnd: boolean } | undefined;
      let stars = 0;
      let last = 0;
      let reread = 0;
      const isEnd = (code: Code): boolean => {
        if (code === null || code < 0) return false;
        const { offset } = this.now();
        reread += Math.max(0, last - offset);
        last = offset;
        if (reread > MAX_REREAD) return true;
        // The end of bold text, whose stars GFM does not count as a part of the address.
        if (stars > 1 && code !== STAR) return true;
        stars = code === STAR ? stars + 1 : 0;
        const character = String.fromCharCode(code);
        if (code < NOT_ASCII || ADDRESS_END.test(character)) return ADDRESS_END.test(character);
        const here = this.now();
        if (first === undefined) {
          const address = this.sliceSerialize({ start, end: here });
          const isAfterHost = UNSPACED.test(character) && ASCII_HOST.test(address);
          first = { offset: here.offset, isEnd: isAfterHost || (PARTICLE.test(character) && /\w$/.test(address)) };
        }
        return first.isEnd && first.offset === here.offset;
      };
      const follow =
        (state: State): State =>
        (code) => {
          current = code;
          const next = state(isEnd(code) ? SPACE : code);
          return next && !hasEnded ? follow(next) : next;
        };
      // The states after the construct are those of the text, which reads the characters as they are.
      const end =
        (after: State): State =>
        () => {
          hasEnded = true;
          return after(current);
        };
      // The construct asks for the character before it, which `previous` has allowed already.
      const context = Object.create(this, { previous: { value: null } }) as typeof this;
      return follow(construct.tokenize.call(context, effects, end(ok), end(nok)));
    },
  };
}

/** Cuts the addresses that GFM finds after its parser, such as those after an open bracket. They have no position. */
function cutAddresses(parent: MarkdownNode): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    cutAddresses(node);
    return node.type === 'link' && !node.position ? cutLink(node) : [node];
  });
}

function cutLink(link: MarkdownNode): MarkdownNode[] {
  const text = link.children?.[0]?.value ?? '';
  const end = text.search(ADDRESS_END);
  if (end === -1) return [link];
  const url = link.url?.slice(0, link.url.length - text.length + end);
  return [
    { ...link, url, children: [{ type: 'text', value: text.slice(0, end) }] },
    { type: 'text', value: text.slice(end) },
  ];
}
