import { API_LIMITS, type ChatCompletionMessage, LIMITS } from '@tanya/contract';
import { withDocuments } from '../../chat/generation/prompt/prompt-documents.js';
import type { ModelFile, ModelFiles } from '../../files/model-files.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import type { ProviderPart } from '../../providers/provider.js';
import { base64Pieces } from './data-image.js';

/** The content as a data URL, whose type is a claim, or as base64 alone. */
const HEAD = /^data:([^,]{0,200}?);base64,/i;

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Characters of base64 that hold the largest document, with the line ends after each 76. */
const MAX_CHARACTERS = Math.ceil(((LIMITS.documentBytes * 4) / 3) * (78 / 76)) + 200;

const megabytes = (bytes: number): number => bytes / (1024 * 1024);

const TOO_LARGE = `A file must have at most ${megabytes(LIMITS.documentBytes)} MB, an image ${megabytes(LIMITS.imageBytes)} MB`;

const MAX_NAME = 255;

interface GivenFile {
  file_data?: unknown;
  filename?: unknown;
  file_id?: unknown;
  file_url?: unknown;
}

/** Whether a message has files, which are read before the admission. */
export const haveFiles = (messages: readonly ChatCompletionMessage[]): boolean =>
  messages.some(({ content }) => Array.isArray(content) && content.some((part) => part?.type === 'file'));

/** The files of one request. Each is read in a child process, and nothing of it is kept. */
export class RequestFiles {
  private count = 0;

  /** @param takesImages whether the model sees pages without text */
  constructor(
    private readonly files: ModelFiles,
    private readonly takesImages: boolean,
  ) {}

  /**
   * A file as parts of its message: a document quoted as in the chat, with its pages without text as pictures.
   * @param pages the most pages that its message may still have as pictures
   * @throws AppError `invalid`, `too_large`, `unsupported_type`, `unreadable_file` or `rate_limited`, naming the part
   */
  async partsOf(given: unknown, pages: number, param: string): Promise<ProviderPart[]> {
    const { file_data: data, filename, file_id: id, file_url: url } = (given ?? {}) as GivenFile;
    if (id !== undefined && id !== null) throw invalidField(param, 'file_id is not supported. Please send file_data.');
    if (url !== undefined && url !== null)
      throw invalidField(param, 'file_url is not supported. Please send file_data.');
    if (typeof data !== 'string' || data === '') throw invalidField(param, 'A file needs file_data in base64');
    if (filename !== undefined && filename !== null && (typeof filename !== 'string' || filename.length > MAX_NAME))
      throw invalidField(param, `filename must be a text of up to ${MAX_NAME} characters`);
    if ((this.count += 1) > API_LIMITS.files)
      throw invalidField(param, `A request must have at most ${API_LIMITS.files} files`);
    if (data.length > MAX_CHARACTERS)
      throw new AppError('too_large', { details: [{ field: param, message: TOO_LARGE }] });
    const type = HEAD.exec(data)?.[1] ?? '';
    const most = this.takesImages ? pages : 0;
    const file = await this.read(piecesOf(data, param), { name: filename?.toWellFormed() ?? '', type }, most, param);
    if (file.kind === 'document') return withDocuments('', [file], Infinity, most).parts;
    return [{ type: file.kind, dataUrl: file.dataUrl }];
  }

  private async read(
    content: Iterable<Buffer>,
    claim: { name: string; type: string },
    pages: number,
    param: string,
  ): Promise<ModelFile> {
    try {
      return await this.files.readGiven(content, claim, pages);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, params, retryAfter } = error;
      const message = code === 'too_large' ? TOO_LARGE : error.message;
      throw new AppError(code, { params, retryAfter, details: [{ field: param, message }], cause: error });
    }
  }
}

/** The content in pieces, which are written one by one: as a whole it would be in memory twice more. */
function* piecesOf(data: string, param: string): Generator<Buffer> {
  let rest = '';
  // A slice shares the memory of the text, of which a replaced one would be a copy.
  for (const piece of base64Pieces(data.slice(HEAD.exec(data)?.[0].length ?? 0))) {
    const plain = rest + piece;
    if (!BASE64.test(plain)) throw invalidField(param, 'file_data must be base64 or a data URL in base64');
    // Four characters are three bytes.
    const whole = plain.length - (plain.length % 4);
    rest = plain.slice(whole);
    yield Buffer.from(plain.slice(0, whole), 'base64');
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}
