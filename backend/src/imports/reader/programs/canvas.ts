import { MAX_CHARACTERS, parentsOf } from '../conversation-tree.js';
import { type Fields, fieldsOf, listOf, textOf } from '../fields.js';
import type { SourceNode } from '../source-conversation.js';
import { fenced } from './text-blocks.js';

/** The calls of ChatGPT's canvas, by the recipient of their message. */
const CREATE = 'canmore.create_textdoc';
const UPDATE = 'canmore.update_textdoc';

export interface CanvasCall {
  recipient: string;
  /** JSON */
  arguments: string;
}

interface Document {
  text: string;
  /** null for prose */
  language: string | null;
}

/** Patterns with which the model replaces a whole document. */
const WHOLE = new Set(['.*', '^.*$', '(?s).*', String.raw`[\s\S]*`]);

/** Changes of one call that are made, and places of one change. */
const MAX_UPDATES = 200;
const MAX_PLACES = 10_000;

const ESCAPED = /\\([^A-Za-z0-9])/g;
const SPECIAL = /[.*+?^${}()|[\]\\]/;

export const isCanvasCall = (recipient: string): boolean => recipient === CREATE || recipient === UPDATE;

/**
 * Writes documents into the nodes whose calls create or change them. A change is made to the last document above its node;
 * one that cannot be made is shown as its new text alone.
 */
export function writeDocuments(nodes: readonly SourceNode[], calls: ReadonlyMap<string, CanvasCall>): void {
  if (calls.size === 0) return;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = parentsOf(nodes);
  const documents = new Map<string | null, Document | null>([[null, null]]);
  let written = 0;
  for (const { id } of nodes) {
    const path: string[] = [];
    for (let at: string | null = id; at !== null && !documents.has(at); at = parents.get(at) ?? null) {
      // Circles end here: the place stays without a document.
      documents.set(at, null);
      path.push(at);
    }
    let document = documents.get(parents.get(path.at(-1) ?? id) ?? null) ?? null;
    for (const at of path.reverse()) {
      const call = calls.get(at);
      if (call !== undefined) {
        const [next, text] = documentAfter(call, document, MAX_CHARACTERS - written);
        document = next;
        written += text.length;
        byId.get(at)!.text = text;
      }
      documents.set(at, document);
    }
  }
}

/**
 * @param room characters that the document may have: short calls can write a long one again and again
 * @returns the document after a call, and the text that shows the call
 */
function documentAfter(call: CanvasCall, before: Document | null, room: number): [Document | null, string] {
  const values = argumentsOf(call);
  if (call.recipient === CREATE) {
    const [kind, language = ''] = textOf(values.type).split('/');
    const created = { text: textOf(values.content), language: kind === 'code' ? language : null };
    return [created, shown(created)];
  }
  let changed = before && before.text.length <= room ? before : null;
  const unmade: string[] = [];
  for (const [at, update] of listOf(values.updates).map(fieldsOf).entries()) {
    const text = changed && at < MAX_UPDATES ? changedText(changed.text, update, room) : null;
    if (changed === null || text === null) unmade.push(textOf(update.replacement));
    else changed = { ...changed, text };
  }
  if (unmade.length > 0) return [changed, shown({ language: changed?.language ?? null, text: unmade.join('\n\n') })];
  return [changed, changed === null ? '' : shown(changed)];
}

const shown = ({ language, text }: Document): string => (language === null ? text : fenced(language, text));

function argumentsOf(call: CanvasCall): Fields {
  try {
    return fieldsOf(JSON.parse(call.arguments));
  } catch {
    return {};
  }
}

/**
 * @returns null when the place of the change is unknown, and beyond the bounds. Patterns are not run: one of an export could
 *   run for ever.
 */
function changedText(text: string, update: Fields, room: number): string | null {
  const [pattern, replacement] = [textOf(update.pattern), textOf(update.replacement)];
  if (WHOLE.has(pattern)) return replacement;
  const place = text.includes(pattern) ? pattern : pattern.replace(ESCAPED, '$1');
  const isPlain = place === pattern || !SPECIAL.test(pattern.replace(ESCAPED, ''));
  const count = place !== '' && isPlain ? countOf(place, text) : 0;
  const places = update.multiple === true ? count : Math.min(count, 1);
  const length = text.length + places * (replacement.length - place.length);
  if (places === 0 || places > MAX_PLACES || length > room) return null;
  return places > 1 ? text.replaceAll(place, () => replacement) : text.replace(place, () => replacement);
}

/** Counts until it is above the bound. */
function countOf(place: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(place); at !== -1 && count <= MAX_PLACES; at = text.indexOf(place, at + place.length))
    count += 1;
  return count;
}
