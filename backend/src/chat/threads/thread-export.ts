import {
  type ContentFile,
  filesOfContent,
  type Message,
  type MessagePart,
  parseContent,
  type Thread,
  type SourcePart,
} from '@tanya/contract';
import { fileIdsIn } from '../messages/content-files.js';

/** Reads what an export says about the documents of a conversation, by the ids of its files. */
export interface ExportedDocuments {
  /** The documents with the labels and texts of their sections. */
  documents: (ids: readonly string[]) => AsyncIterable<object>;
  /** Such as `12 pages, 3 as pictures`, by id. */
  outlines: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/**
 * A conversation as a JSON document, in pieces: each message with its time, each answer with its model. `files` has the
 * documents with their sections; it is absent without any.
 */
export async function* jsonExport(
  { title, modelId, createdAt, updatedAt }: Thread,
  slices: AsyncIterable<Message[]>,
  { documents }: Pick<ExportedDocuments, 'documents'>,
): AsyncGenerator<string> {
  const head = JSON.stringify({ title, modelId, createdAt, updatedAt });
  const ids = new Set<string>();
  let start = `${head.slice(0, -1)},"messages":[`;
  for await (const messages of slices) {
    if (messages.length === 0) continue;
    for (const id of messages.flatMap(fileIdsIn)) ids.add(id);
    yield start + messages.map((message) => JSON.stringify(message)).join(',');
    start = ',';
  }
  yield start === ',' ? ']' : `${start}]`;
  start = ',"files":[';
  for await (const document of documents([...ids])) {
    yield start + JSON.stringify(document);
    start = ',';
  }
  yield start === ',' ? ']}' : '}';
}

/** A conversation as a Markdown document, in pieces. */
export async function* markdownExport(
  title: string,
  slices: AsyncIterable<Message[]>,
  { outlines }: Pick<ExportedDocuments, 'outlines'>,
): AsyncGenerator<string> {
  yield `# ${title}`;
  for await (const messages of slices) {
    const outlined = await outlines(messages.filter(({ isUserMessage }) => isUserMessage).flatMap(fileIdsIn));
    yield messages
      .flatMap((message) => toSection(message, outlined))
      .map((text) => `\n\n${text}`)
      .join('');
  }
  yield '\n';
}

/** The paragraphs of a message. An answer without content gets no heading; the reason stands below the question. */
function toSection(message: Message, outlines: ReadonlyMap<string, string>): string[] {
  const stored = parseContent(message.content);
  const files = filesOfContent(stored).map((file) => fileLine(file, outlines));
  const { steps, sources } = partsIn(message.parts ?? [], stored.imageUrl);
  const content = [...files, stored.imageUrl ? '_Image_' : '', ...steps, stored.text, sources].filter(
    (part) => part !== '',
  );
  const remark = remarkOn(message);
  if (content.length === 0) return remark ? [remark] : [];
  const heading = `## ${message.isUserMessage ? 'You' : 'AI'}`;
  return [heading, details(message), ...content, ...(remark ? [remark] : [])];
}

/**
 * Lines for the calls and the images of an answer, and its list of sources. The results of calls are left out.
 * @param ownImage the image of an answer that has nothing else, which has a line of its own
 */
function partsIn(parts: readonly MessagePart[], ownImage?: string): { steps: string[]; sources: string } {
  const steps = parts.flatMap((part) => {
    if (part.type === 'tool') return [`_Used ${part.title}_${part.state === 'done' ? '' : ` (${part.state})`}`];
    return part.type === 'image' && part.url !== ownImage ? ['_Image_'] : [];
  });
  const sources = parts.flatMap((part) => (part.type === 'source' ? [sourceLine(part)] : []));
  return { steps, sources: sources.length === 0 ? '' : ['Sources:', '', ...sources].join('\n') };
}

/** A passage of a file has its place instead of an address. */
const sourceLine = ({ index, url, title, label, fileId }: SourcePart): string =>
  fileId === undefined && url !== ''
    ? `- [${index}] <${url}> ${plainLine(title)}`
    : `- [${index}] ${plainLine([title, label].filter(Boolean).join(', '))}`;

/** A title of another site on one line, without Markdown. */
const plainLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/([\\`*_<>[\]])/g, '\\$1');

/** Such as `_Attachment: a.pdf (12 pages)_`. */
function fileLine({ kind, name, url }: ContentFile, outlines: ReadonlyMap<string, string>): string {
  const label = { image: 'Image', audio: 'Audio', document: 'Attachment' }[kind];
  const outline = outlines.get(url.slice(url.lastIndexOf('/') + 1));
  const rest = outline === undefined ? '' : ` (${plainLine(outline)})`;
  return name ? `_${label}: ${name}${rest}_` : `_${label}${rest}_`;
}

/** Date and model, such as `_2026-11-22 04:57 UTC · openai/gpt-4o-mini_`. */
function details({ createdAt, modelId }: Message): string {
  const date = `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)} UTC`;
  return `_${modelId ? `${date} · ${modelId}` : date}_`;
}

/** Why an answer is missing or incomplete; null for other messages. */
function remarkOn({ status, error }: Message): string | null {
  if (status === 'error') return `_The answer failed: ${error?.message ?? 'it could not be written.'}_`;
  if (status === 'stopped') return '_The answer was stopped._';
  if (status === 'interrupted') return '_The answer was interrupted._';
  return null;
}

/** A file name that is valid on every system. It is cut between characters, because half a character makes a header invalid. */
export function exportName(title: string, extension: string): string {
  const name = title.replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${Array.from(name).slice(0, 60).join('') || 'chat'}.${extension}`;
}
