/** Every bound of the product, read by the server's DTOs and by the browser's forms. Lengths are in UTF-16 units. */
export const LIMITS = {
  username: { min: 1, max: 64 },
  password: { min: 8, max: 128 },
  fullName: { min: 2, max: 100 },
  phoneNumber: { min: 5, max: 40 },
  email: { max: 254 },
  threadTitle: { min: 1, max: 200 },
  /** Title made from a first message: this many characters of it. */
  automaticTitle: 60,
  messageText: 32_000,
  siteTitle: { min: 1, max: 50 },
  welcomeMessage: { min: 1, max: 200 },
  emptyThreadMessage: { max: 200 },
  systemPrompt: { min: 1, max: 1000 },
  providerKey: { max: 512 },
  baseUrl: { max: 512 },
  guestMessageQuota: { min: 1, max: 100 },
  freeUserMessageQuota: { min: 1, max: 1000 },
  premiumUserMessageQuota: { min: -1, max: 1_000_000 },
  guestAddressDailyQuota: { min: 1, max: 1_000_000 },
  guestHourlyBudget: { min: 1, max: 1_000_000 },
  modelId: { min: 1, max: 200 },
  modelName: { min: 1, max: 200 },
  modelProvider: { min: 1, max: 100 },
  modelDescription: { max: 2000 },
  contextLength: { min: 256, max: 10_000_000 },
  imageBytes: 5 * 1024 * 1024,
  documentBytes: 10 * 1024 * 1024,
  audioBytes: 10 * 1024 * 1024,
  fileName: { max: 255 },
  imagePrompt: { min: 1, max: 4000 },
  /** What one generated image costs, in messages. */
  imageCost: 7,
  /** An answer is cut here and closed as complete with a notice. */
  answerCharacters: 200_000,
  /** Bodies of JSON calls, in bytes; `POST /api/chat/message` alone takes the larger one. */
  jsonBytes: 1024 * 1024,
  messageJsonBytes: 24 * 1024 * 1024,
  socketMessageBytes: 1024 * 1024,
  listDefault: 50,
  listMax: 200,
  searchQuery: 200,
} as const;

/** Bounds of the public API's requests, which no form of the page needs. */
export const API_LIMITS = {
  messages: 500,
  temperature: { min: 0, max: 2 },
  topP: { min: 0, max: 1 },
  /** `presence_penalty` and `frequency_penalty`. */
  penalty: { min: -2, max: 2 },
  /** Texts that end an answer. */
  stop: 4,
  maxTokens: { min: 1, max: 200_000 },
} as const;

/** A quota of this value never runs out. */
export const UNLIMITED = -1;

/** Used where the catalogue doesn't say how much a model can read, in tokens. */
export const DEFAULT_CONTEXT_LENGTH = 8192;

export const DEFAULT_MODEL_ID = 'openai/gpt-4o-mini';

/** Models that draw instead of writing; they go the OpenAI way. */
export const IMAGE_MODEL_IDS: readonly string[] = ['gpt-image-1', 'openai/gpt-image-1'];

export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export const DOCUMENT_EXTENSIONS: readonly string[] = [
  'pdf',
  'doc',
  'docx',
  'txt',
  'md',
  'csv',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'zip',
  'rar',
];
