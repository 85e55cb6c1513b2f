import type { Message, SearchHit, SendMessageResponse, SourcePart } from '@tanya/contract';
import type { ChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { addFile, createProject, filesRead, searchIn } from '../project-harness.js';
import { DOCUMENTS } from './documents.js';
import { FOLLOW_UPS, type MeasuredQuestion, QUESTIONS } from './questions.js';

/** Questions of the set, as counts. */
export interface Figures {
  /** Questions that a document answers. */
  answerable: number;
  /** Of these, those whose place is among the ten passages of a search, and those whose file is. */
  recall: number;
  fileRecall: number;
  /** Of these, those whose first source is the right file, and the right place of it. */
  rightFile: number;
  rightPage: number;
  /** Of these, the ones that got an answer without a source, and those that were declined. */
  uncited: number;
  declined: number;
  /** Questions that no document answers, and those of them that were declined. */
  unanswerable: number;
  refused: number;
  /** Follow-ups, and those of them whose answer cites the right place. */
  followUps: number;
  followed: number;
}

const isPlace = (place: MeasuredQuestion['place'], file: string, label: string): boolean =>
  place?.file === file && place.label === label;

const isCited = (place: MeasuredQuestion['place'], source: SourcePart | undefined): boolean =>
  source !== undefined && isPlace(place, source.title, source.label ?? '');

const sourceOf = ({ parts = [] }: Message): SourcePart | undefined =>
  parts.find((part): part is SourcePart => part.type === 'source');

/** Makes a project of the documents. @returns its id */
export async function measuredProject(client: HttpClient): Promise<number> {
  const { id } = await createProject(client, { name: 'Bright Harbour Rentals' });
  for (const { name, content } of DOCUMENTS) await addFile(client, id, content(), name, 'application/octet-stream');
  const files = await filesRead(client, id);
  const unread = files.filter(({ state, sections }) => state !== 'ready' || sections === 0);
  if (unread.length > 0) throw new Error(`not read: ${unread.map(({ name }) => name).join(', ')}`);
  return id;
}

/**
 * Asks each question once as a search and once in a chat, and each follow-up behind its question in a chat of its own.
 * @param clients of members who ask in turn, so that their rate limits do not matter
 * @param modelId has no tools and a context so small that the files do not go in whole
 * @param noteMiss is told of each question whose place was not found or not cited
 */
export async function measure(
  clients: readonly HttpClient[],
  projectId: number,
  modelId: string,
  noteMiss: (question: string, found: string) => void = () => undefined,
): Promise<Figures> {
  const figures: Figures = {
    ...{ answerable: 0, recall: 0, fileRecall: 0, rightFile: 0, rightPage: 0 },
    ...{ uncited: 0, declined: 0, unanswerable: 0, refused: 0, followUps: 0, followed: 0 },
  };
  for (const [at, { ask, place }] of QUESTIONS.entries()) {
    const client = clients[at % clients.length]!;
    const hits = await searchIn(client, projectId, ask);
    const { aiResponse, aiMessage } = await answerTo(client, modelId, ask, { projectId });
    const isDeclined = aiResponse === DECLINED;
    if (place === undefined) {
      figures.unanswerable += 1;
      if (isDeclined) figures.refused += 1;
      continue;
    }
    const source = sourceOf(aiMessage);
    const isRight = isCited(place, source);
    const isFound = hits.some(({ name, label }) => isPlace(place, name, label));
    figures.answerable += 1;
    if (isFound) figures.recall += 1;
    if (hits.some(({ name }) => name === place.file)) figures.fileRecall += 1;
    if (source?.title === place.file) figures.rightFile += 1;
    if (isRight) figures.rightPage += 1;
    if (isDeclined) figures.declined += 1;
    else if (source === undefined) figures.uncited += 1;
    if (!isFound || !isRight) noteMiss(ask, described(hits, source));
  }
  for (const [at, { after, ask, place }] of FOLLOW_UPS.entries()) {
    const client = clients[at % clients.length]!;
    const { threadId } = await answerTo(client, modelId, after, { projectId });
    const source = sourceOf((await answerTo(client, modelId, ask, { threadId })).aiMessage);
    figures.followUps += 1;
    if (isCited(place, source)) figures.followed += 1;
    else noteMiss(`${after} ${ask}`, described([], source));
  }
  return figures;
}

export const DECLINED = 'The files do not say this.';

const described = (hits: readonly SearchHit[], source: SourcePart | undefined): string =>
  `cited ${source === undefined ? 'nothing' : `${source.title} ${source.label}`}, found ${hits
    .slice(0, 3)
    .map(({ name, label }) => `${name} ${label}`)
    .join('; ')}`;

async function answerTo(
  client: HttpClient,
  model: string,
  content: string,
  place: { projectId: number } | { threadId: number },
): Promise<SendMessageResponse> {
  const answer = await client.post<SendMessageResponse>('/api/chat/message', { content, model, ...place });
  if (answer.status !== 201) throw new Error(`no answer: ${answer.text}`);
  return answer.body;
}

/** Adds the model that answers the questions. */
export async function addReader({ admin }: ChatHarness, modelId: string): Promise<void> {
  const reader = {
    modelId,
    name: 'Reader',
    provider: 'Tests',
    kind: 'chat',
    contextLength: 4_096,
    supportsTools: false,
  };
  const answer = await (await admin()).post('/api/admin/models', reader);
  if (answer.status !== 201) throw new Error(`no model: ${answer.text}`);
}

const share = (count: number, of: number): string => `${count} of ${of}`;

/** The figures as a table for docs/projects.md. */
export function tableOf(columns: Readonly<Record<string, Figures>>): string {
  const names = Object.keys(columns);
  const row = (title: string, cell: (figures: Figures) => string): string =>
    `| ${[title, ...names.map((name) => cell(columns[name]!))].join(' | ')} |`;
  return [
    `| ${['', ...names].join(' | ')} |`,
    `| ${['', ...names].map(() => '---').join(' | ')} |`,
    row('right page among the ten passages of a search', ({ recall, answerable }) => share(recall, answerable)),
    row('right file among them', ({ fileRecall, answerable }) => share(fileRecall, answerable)),
    row('answer cites the right file', ({ rightFile, answerable }) => share(rightFile, answerable)),
    row('answer cites the right page', ({ rightPage, answerable }) => share(rightPage, answerable)),
    row('answer without a citation', ({ uncited, answerable }) => share(uncited, answerable)),
    row('declined although a document has the answer', ({ declined, answerable }) => share(declined, answerable)),
    row('declined where no document has it', ({ refused, unanswerable }) => share(refused, unanswerable)),
    row('answer to a follow-up cites the right page', ({ followed, followUps }) => share(followed, followUps)),
  ].join('\n');
}
