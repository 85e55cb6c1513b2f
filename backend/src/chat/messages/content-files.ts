import { type Message, type MessagePart, parseContent } from '@tanya/contract';
import { isFileId } from '../../files/file-name.js';

/** URL of a file of a thread, or of a snapshot. */
const FILE_URL = /^\/api\/(?:files|share\/[\w-]+\/files)\/([0-9a-f-]{36})$/;

/** Fields with text that was typed or generated, which is never a reference to a file. */
const TEXTS: readonly string[] = ['text', 'fileName', 'name'];

type Replacement = (text: string, fileId: string) => string;

function fileIdOfField(name: string, value: string): string | null {
  if (TEXTS.includes(name)) return null;
  const id = name === 'fileId' ? value : FILE_URL.exec(value)?.[1];
  return id !== undefined && isFileId(id) ? id : null;
}

function map(value: unknown, name: string, replace: Replacement): unknown {
  if (typeof value === 'string') {
    const id = fileIdOfField(name, value);
    return id === null ? value : replace(value, id);
  }
  if (Array.isArray(value)) return value.map((entry) => map(entry, name, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, map(entry, key, replace)]));
}

/** The ids of the files that a message refers to, each once. */
export function fileIdsIn({ content, parts = [] }: Pick<Message, 'content' | 'parts'>): string[] {
  const ids = new Set<string>();
  mapContent(content, (value, id) => {
    ids.add(id);
    return value;
  });
  for (const part of parts) {
    const id = part.type === 'image' ? fileIdOfField('url', part.url) : null;
    if (id !== null) ids.add(id);
  }
  return [...ids];
}

/**
 * Replaces the files of a stored message. Its text stays as it is, also where the text contains the URL of a file.
 * @param urlOf the URL of the file that replaces another one
 * @param ids the id of the replacement by the id of the original; a file without one is kept
 */
export function replaceFiles(stored: string, ids: ReadonlyMap<string, string>, urlOf: (id: string) => string): string {
  return mapContent(stored, (value, id) => {
    const replacement = ids.get(id);
    if (replacement === undefined) return value;
    return value === id ? replacement : urlOf(replacement);
  });
}

function mapContent(stored: string, replace: Replacement): string {
  const content = parseContent(stored);
  const isPlainText = Object.keys(content).length === 1 && content.text === stored;
  return isPlainText ? stored : JSON.stringify(map(content, '', replace));
}

/** Replaces the images of an AI message's parts, as `replaceFiles` does in its content. */
export const replacePartFiles = (
  parts: readonly MessagePart[],
  ids: ReadonlyMap<string, string>,
  urlOf: (id: string) => string,
): MessagePart[] =>
  parts.map((part) => {
    const id = part.type === 'image' ? fileIdOfField('url', part.url) : null;
    const replacement = id === null ? undefined : ids.get(id);
    return part.type !== 'image' || replacement === undefined ? part : { ...part, url: urlOf(replacement) };
  });
