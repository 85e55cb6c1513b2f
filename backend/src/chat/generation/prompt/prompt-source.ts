import {
  DEFAULT_CONTEXT_LENGTH,
  type ContentFile,
  filesOfContent,
  LIMITS,
  type Message,
  type MessageContent,
  type MessageNotice,
  parseContent,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ModelFiles } from '../../../files/model-files.js';
import { type Owner, ownerUserId, projectOwner } from '../../../identity/identity.js';
import { ProjectKnowledge, type ProjectMaterial } from '../../../projects/asking/project-knowledge.js';
import { inSlices, Slices } from '../../../platform/system/slices.js';
import { type PromptProject, ProjectStore } from '../../../projects/project-store.js';
import { MEDIA_TOKENS } from '../../../providers/token-estimate.js';
import { SettingsService } from '../../../settings/settings.service.js';
import type { CallableTool, CitedPlace, Passage } from '../../../tools/tool.js';
import { type PathRow, SummaryStore } from '../../messages/summary-store.js';
import { partsOf, toMessagePart } from '../../messages/stored-parts.js';
import {
  buildPrompt,
  largestRoom,
  type Prompt,
  type PromptFrame,
  type PathMessage,
  type PromptPath,
} from './prompt.js';
import { withoutPassages } from './earlier-passages.js';
import { picturesIn } from './prompt-documents.js';
import { withModelPrompt } from './system-text.js';
import { FILES_SHARE, projectText } from './project-text.js';
import { mediaWithin, type PromptTurn, textTokens } from './prompt-filler.js';
import { type LongThread, SummaryWriter } from './summary-writer.js';

/**
 * What is read of a path for a prompt: more than most models take, and a bound for very long threads. Bytes of texts,
 * reasoning and calls.
 */
export const PATH_BOUNDS = { messages: 2_000, bytes: 16 * 1024 * 1024 };

/** Characters of attached files that one prompt loads, newest message first. The first file is always loaded. */
const MAX_FILE_CHARACTERS = 32 * 1024 * 1024;

/** Characters of a question that is searched for together with the one before, and those of that one. */
const SHORT_QUESTION = 100;
const EARLIER_QUESTION = 400;

/** Answers before a question that may have cited what it means, and places of one. */
const EARLIER_ANSWERS = 3;
const CITED_PLACES = 3;

/** Characters of a data URL for each byte. */
const CHARACTERS_PER_BYTE = 4 / 3;

type PromptEnd = Pick<Message, 'id' | 'parentId' | 'content' | 'isUserMessage'>;

/** What a prompt depends on besides the conversation and the settings. */
export interface PromptRequest extends Omit<PromptFrame, 'systemPrompt' | 'project' | 'summary'> {
  projectId: number | null;
  /** Number the passages of its files. Without them the prompt has none. */
  citations?: { numberOf(passage: Passage): number };
  /** Whether the model may call tools. */
  canCall?: boolean;
  modelId: string;
  /** Follows the system prompt of the settings. */
  modelPrompt: string | null;
  /** Whose conversation may be shortened where it is too long. */
  thread?: LongThread;
}

/** Loads the path of a user message with its files and builds the prompt. */
@Injectable()
export class PromptSource {
  constructor(
    private readonly summaries: SummaryStore,
    private readonly writer: SummaryWriter,
    private readonly files: ModelFiles,
    private readonly settings: SettingsService,
    private readonly projects: ProjectStore,
    private readonly knowledge: ProjectKnowledge,
  ) {}

  async load(
    owner: Owner,
    userMessage: PromptEnd,
    request: PromptRequest,
  ): Promise<Prompt & { tools: CallableTool[] }> {
    const path = await this.pathOf(userMessage, request.modelId);
    const { rows, summary } = request.thread === undefined ? path : await this.writer.shorten(request.thread, path);
    const turns: PromptTurn[] = [];
    const loader = new FileLoader(this.files, owner);
    const omitted = new Set<'attachments_too_large' | 'attachments_left_out'>();
    let room = largestRoom(request);
    for await (const row of inSlices(rows)) {
      const parts = row.parts?.some(({ type }) => type === 'tool') ? row.parts : undefined;
      if (!row.isUserMessage && row.content === '' && parts === undefined) continue;
      const content = parseContent(row.content);
      const turn: PromptTurn = {
        role: row.isUserMessage ? 'user' : 'assistant',
        text: promptText(row, content),
        parts,
      };
      turns.push(turn);
      const isNewest = turns.length === 1;
      const files = row.isUserMessage ? filesOfContent(content) : [];
      const media = files.filter(({ kind }) => kind !== 'document');
      room -= textTokens(turn.text);
      // Files that cannot fit stay unread: a long thread may have more files than memory holds.
      const readable = isNewest ? media : media.slice(0, mediaWithin(room) + (room > 0 ? 1 : 0));
      turn.unread = media.length - readable.length;
      const documents = room < 0 && !isNewest ? [] : files.filter(({ kind }) => kind === 'document');
      room -= media.length * MEDIA_TOKENS;
      const pages = isNewest ? LIMITS.pagePictures : Math.min(LIMITS.pagePictures, mediaWithin(room));
      const isWhole = await loader.addTo(turn, [...readable, ...documents], request.takesImages ? pages : 0);
      room -= picturesOf(turn) * MEDIA_TOKENS;
      if (!isWhole) omitted.add(isNewest ? 'attachments_too_large' : 'attachments_left_out');
    }
    const systemPrompt = withModelPrompt(this.settings.get().systemPrompt, request.modelPrompt);
    const project = await this.projectOf(owner, request.projectId);
    const material = await this.addMaterial(turns, citedIn(rows), project, ownerUserId(owner), request);
    const prompt = await buildPrompt({ ...request, systemPrompt, summary, project }, turns.toReversed());
    return {
      ...prompt,
      tools: material?.tools ?? [],
      notices: [
        ...withUnread(prompt.notices, path.unread),
        ...[...omitted].map((code) => ({ code })),
        ...(material === null ? [] : unreadNotice(material.unread.length)),
      ],
    };
  }

  /** Gives the newest turn what the files of the project have for it. @param turns newest first */
  private async addMaterial(
    turns: readonly PromptTurn[],
    cited: readonly CitedPlace[],
    project: PromptProject | null,
    userId: number | null,
    { citations, canCall = false, contextLength, shrink, takesImages, thread }: PromptRequest,
  ): Promise<ProjectMaterial | null> {
    const [newest, ...earlier] = turns;
    if (newest === undefined || project === null || userId === null || citations === undefined) return null;
    const question = searchedFor(newest.text, earlier.find(({ role }) => role === 'user')?.text);
    const tokens = Math.floor(((contextLength ?? DEFAULT_CONTEXT_LENGTH) / (shrink ? 2 : 1)) * FILES_SHARE);
    const asking = { question, cited, searcher: { userId, signal: thread?.signal }, tokens, canCall };
    const material = await this.knowledge.materialFor(project.id, asking);
    if (material === null) return null;
    newest.material = projectText(project.name, material, (passage) => citations.numberOf(passage));
    const owner = projectOwner(project.id);
    for (const id of material.scans) {
      const pages = takesImages ? LIMITS.pagePictures - picturesOf(newest) : 0;
      const scan = await this.files.read(owner, id, pages);
      if (scan?.kind === 'document') newest.documents = [...(newest.documents ?? []), scan];
    }
    for (const id of takesImages ? material.mixed : []) {
      const pages = LIMITS.pagePictures - picturesOf(newest);
      if (pages === 0) break;
      const file = await this.files.read(owner, id, pages);
      if (file?.kind !== 'document') continue;
      // All text is among the passages. A page keeps its own: else one that is not sent would be named as without text.
      const pieces = file.pieces.filter((piece) => typeof piece !== 'string');
      if (pieces.length > 0) newest.documents = [...(newest.documents ?? []), { ...file, pieces }];
    }
    return material;
  }

  /** The project of the prompt; null without one, and for an owner who has left it meanwhile. */
  private async projectOf(owner: Owner, projectId: number | null): Promise<PromptProject | null> {
    const userId = ownerUserId(owner);
    return projectId === null || userId === null ? null : this.projects.ofPrompt(userId, projectId);
  }

  /**
   * The path of a message, newest first. The first message of a thread is its own path. Only the answers of the model have
   * named reasoning: the provider of another one may refuse it.
   */
  private async pathOf(message: PromptEnd, modelId: string): Promise<PromptPath> {
    if (message.parentId !== null) return this.path(message.id, modelId);
    const { id, content, isUserMessage } = message;
    const row = { id, content, isUserMessage, isComplete: true, contextTokens: null, undoneAt: null };
    return { rows: [row], summary: null };
  }

  /** The path of any message. @param modelId of the prompt */
  async path(messageId: number, modelId: string): Promise<PromptPath> {
    const rows = await this.summaries.promptPath(messageId, PATH_BOUNDS);
    const last = rows.at(-1);
    const summary = last?.summary ?? null;
    const shown = summary === null ? rows : rows.slice(0, -1);
    const isWhole = summary !== null || (last?.parent_id ?? null) === null;
    const slices = new Slices();
    const read: PathMessage[] = [];
    for await (const row of inSlices(shown, slices))
      read.push(await withoutPassages(toPathMessage(row, modelId), slices));
    return {
      rows: read,
      summary,
      ...(!isWhole && { unread: await this.summaries.countBefore(last!.id) }),
    };
  }
}

function toPathMessage(row: PathRow, modelId: string): PathMessage {
  const read = {
    id: row.id,
    content: row.content,
    isUserMessage: row.is_user_message,
    isComplete: row.status === 'complete',
    contextTokens: row.context_tokens,
    undoneAt: row.summary_tokens,
  };
  if (row.is_user_message) return read;
  const parts = partsOf(row);
  return { ...read, parts: row.model_id === modelId ? parts : parts.map(toMessagePart) };
}

/** Loads files into the turns of one prompt, up to `MAX_FILE_CHARACTERS`. */
class FileLoader {
  private loaded = 0;

  constructor(
    private readonly files: ModelFiles,
    private readonly owner: Owner,
  ) {}

  /**
   * @param pages of its documents that are read as pictures at most
   * @returns false when a file was left out because of the limit
   */
  async addTo(turn: PromptTurn, files: readonly ContentFile[], pages: number): Promise<boolean> {
    let isWhole = true;
    for (const { kind, url, size = 0 } of files) {
      // The text of a document is usually far shorter than its file.
      const expected = kind === 'document' ? 0 : size * CHARACTERS_PER_BYTE;
      const isOver = this.loaded > 0 && this.loaded + expected >= MAX_FILE_CHARACTERS;
      if (isOver) isWhole = false;
      else await this.add(turn, url, pages - picturesOf(turn));
    }
    return isWhole;
  }

  private async add(turn: PromptTurn, url: string, pages: number): Promise<void> {
    const file = await this.files.read(this.owner, url, pages);
    if (file === null) return;
    if (file.kind === 'document') {
      turn.documents = [...(turn.documents ?? []), file];
      for (const piece of file.pieces) this.loaded += typeof piece === 'string' ? piece.length : piece.dataUrl.length;
    } else {
      turn.media = [...(turn.media ?? []), { type: file.kind, dataUrl: file.dataUrl }];
      this.loaded += file.dataUrl.length;
    }
  }
}

/** Adds the messages that were not read to those that did not fit. */
function withUnread(notices: readonly MessageNotice[], unread = 0): readonly MessageNotice[] {
  if (unread === 0) return notices;
  const isLeftOut = ({ code }: MessageNotice) => code === 'earlier_left_out';
  const count = unread + Number(notices.find(isLeftOut)?.params?.['count'] ?? 0);
  return [...notices.filter((notice) => !isLeftOut(notice)), { code: 'earlier_left_out', params: { count } }];
}

const unreadNotice = (count: number): MessageNotice[] =>
  count === 0 ? [] : [{ code: 'files_being_read', params: { count } }];

/** A short question may lean on the one before: “And on Sundays?” */
const searchedFor = (question: string, before = ''): string =>
  question.length > SHORT_QUESTION ? question : `${question}\n${before.slice(0, EARLIER_QUESTION).toWellFormed()}`;

/** What the last answer with citations cites, of the last ones: “And the next page?” names no words. @param rows newest first */
function citedIn(rows: readonly PathMessage[]): CitedPlace[] {
  const answers = rows.filter(({ isUserMessage }) => !isUserMessage).slice(0, EARLIER_ANSWERS);
  for (const { parts = [] } of answers) {
    const places = parts.flatMap((part) => {
      if (part.type !== 'source' || part.fileId === undefined || part.section === undefined) return [];
      const { fileId, section, label = '', quote = '' } = part;
      return [{ fileId, section, label, quote }];
    });
    if (places.length > 0) return places.slice(0, CITED_PLACES);
  }
  return [];
}

const picturesOf = ({ documents = [] }: PromptTurn): number =>
  documents.reduce((sum, document) => sum + picturesIn(document), 0);

const promptText = ({ isUserMessage }: PathMessage, { text, imageUrl }: MessageContent): string =>
  !isUserMessage && imageUrl ? `[An image was drawn: ${text}]` : text;
