import type { ATTACHMENTS_MAX } from './files.js';
import type { MESSAGE_TEXT_MAX } from './message-content.js';
import type { INSTRUCTIONS_MAX } from './users.js';
import type { LIST_MAX, SEARCH_QUERY_MAX, THREAD_BATCH_MAX } from './threads.js';

/** Bounds of all inputs except the settings, which `SETTINGS` bounds, used by the server's DTOs and the page's forms. Lengths are in UTF-16 code units. */
export const LIMITS = {
  username: { min: 1, max: 64 },
  password: { min: 8, max: 128 },
  fullName: { min: 2, max: 100 },
  phoneNumber: { min: 5, max: 40 },
  email: { max: 254 },
  webhookUrl: { max: 2000 },
  /** Code of a login's second step, as typed. */
  totpCode: { max: 40 },
  /** Keys of one account, beside the single readable key. */
  apiKeys: 20,
  apiKeyName: { min: 1, max: 60 },
  /** Calls or tokens a minute; -1 is unlimited. */
  apiRate: { min: -1, max: 1_000_000_000 },
  /** Longest life of a key of scope `admin`. */
  adminKeyDays: 366,
  /** Passkeys of one account. */
  passkeys: 20,
  passkeyName: { min: 1, max: 60 },
  apiKeyMessageCap: { min: 1, max: 1_000_000_000 },
  /** Models that one key may name. */
  apiKeyModels: 100,
  /** Digits of an amount in USD before and after the point. */
  usdDigits: { whole: 8, fraction: 12 },
  quotaOverride: { min: -1, max: 1_000_000 },
  /** Lifetime of a mailed link to reset a password. */
  resetMinutes: 30,
  threadTitle: { min: 1, max: 200 },
  threadBatch: 200 satisfies typeof THREAD_BATCH_MAX,
  feedbackReason: { max: 1000 },
  /** Length of the initial thread title, taken from the first message. */
  automaticTitle: 60,
  messageText: 32_000 satisfies typeof MESSAGE_TEXT_MAX,
  providerKey: { max: 512 },
  baseUrl: { max: 512 },
  connectionName: { min: 1, max: 60 },
  connections: 50,
  linkUrl: { max: 2048 },
  /** Length of each text of the custom instructions. */
  instructions: { max: 1500 satisfies typeof INSTRUCTIONS_MAX },
  modelId: { min: 1, max: 200 },
  modelName: { min: 1, max: 200 },
  modelProvider: { min: 1, max: 100 },
  modelDescription: { max: 2000 },
  /** Entries of a model's modalities and of its supported parameters. */
  modelList: 50,
  /** Models that answer instead of one. */
  fallbacks: 3,
  modelPrompt: { max: 4000 },
  /** Ids of one import, and of one batch, of models. */
  modelImport: 5000,
  modelBatch: 1000,
  skippedModels: 100,
  modelUses: 1000,
  /** Models without a row on the models page. */
  unlistedModels: 100,
  contextLength: { min: 256, max: 10_000_000 },
  imageBytes: 5 * 1024 * 1024,
  logoBytes: 1024 * 1024,
  documentBytes: 10 * 1024 * 1024,
  audioBytes: 10 * 1024 * 1024,
  /** Files of one message. */
  attachments: 10 satisfies typeof ATTACHMENTS_MAX,
  /** Pages of PDFs that one message carries as pictures, and that are kept of one PDF. */
  pagePictures: 20,
  fileName: { max: 255 },
  /** Exports of everything of an account in 24 hours; failed ones do not count. */
  dataExportsPerDay: 3,
  /** Size of an export to import, bytes: all files of an account, with its texts in two forms. */
  importBytes: 1024 * 1024 * 1024,
  importConversations: 50_000,
  /** Failures in the status of an import; the report lists all. */
  importFailures: 100,
  /**
   * Characters of an owner's imports, copies, share links and stored responses in all. Stored responses may take 200
   * million; as many are left for the rest, the text of about 10,000 long conversations. A guest has a tenth, as of files.
   */
  storedCharacters: { user: 400_000_000, guest: 40_000_000 },
  /** Valid share links of an account. */
  shares: 200,
  /** Messages of a snapshot, their characters as JSON, and its files. */
  shareMessages: 2_000,
  shareCharacters: 8_000_000,
  shareFiles: 200,
  /** A recording that is dictated: bytes, and the seconds after which the page ends it. */
  dictationBytes: 10 * 1024 * 1024,
  dictationSeconds: 120,
  imagePrompt: { min: 1, max: 4000 },
  /** Price of one generated image in messages. */
  imageCost: 7,
  /** Tools that one send may offer, and the length of a tool's name. */
  tools: 64,
  toolName: { max: 64 },
  callId: { max: 64 },
  /** Size of a tool, source or image part as JSON, in bytes; longer results are cut. */
  partBytes: 32 * 1024,
  /** A longer answer is cut here and completes with a notice. */
  answerCharacters: 200_000,
  /** Maximum JSON body in bytes; `messageJsonBytes` applies to `POST /api/chat/message` alone. */
  jsonBytes: 1024 * 1024,
  messageJsonBytes: 24 * 1024 * 1024,
  /** A larger event is refused in its ack. A frame above `socketFrameBytes` closes the socket. */
  socketEventBytes: 256 * 1024,
  socketFrameBytes: 1024 * 1024,
  /** JSON of a page of messages, bytes: a page ends before the message that would exceed it, and has at least one. */
  pageBytes: 2_000_000,
  /** Versions of a message that are shown with it. */
  versions: 500,
  listDefault: 50,
  listMax: 200 satisfies typeof LIST_MAX,
  searchQuery: 200 satisfies typeof SEARCH_QUERY_MAX,
  /** Number of threads in one page of search results with their lines. */
  searchResults: 50,
  /** Longest period of a usage report and of its CSV file, in days. */
  usageDays: 3_660,
  usageCsvDays: 366,
  /** Entries of the history of a model's prices that are shown. */
  priceChanges: 20,
} as const;

/** Bounds of public API requests. */
export const API_LIMITS = {
  /** Maximum JSON body, bytes: pictures of about 23 MB, or a long history. */
  jsonBytes: 32 * 1024 * 1024,
  /** Messages of a request; of a response also the items of its input, without reasoning, and its whole conversation. */
  messages: 2_000,
  /** Items of the input of a response, with those of reasoning, which are left out. */
  inputItems: 10_000,
  /** Parts of one message. */
  parts: 10_000,
  files: 20,
  /** Pictures by address of one request, characters of an address, and bytes of all of them. */
  pictures: 20,
  pictureAddress: 4_096,
  pictureBytes: 20 * 1024 * 1024,
  temperature: { min: 0, max: 2 },
  topP: { min: 0, max: 1 },
  /** −1 is all tokens for some servers, 0 for others. */
  topK: { min: -1, max: 1_000_000 },
  repetitionPenalty: { min: 0, max: 10 },
  /** `presence_penalty` and `frequency_penalty`. */
  penalty: { min: -2, max: 2 },
  /** Entries of `logit_bias`, and the range of each. */
  logitBias: { entries: 300, min: -100, max: 100 },
  /** Answers to one request, and alternatives of each token with its likelihood. */
  choices: 8,
  topLogprobs: 20,
  /** Number of stop sequences: DeepSeek's maximum. OpenAI's is 4, which it refuses itself; Anthropic names none. */
  stopSequences: 16,
  /** Clients ask for a whole context, as 262,144 or 1,048,576. */
  maxTokens: { min: 1, max: 2_000_000 },
  /** JSON Schema of an answer's form. */
  schema: { characters: 64_000, depth: 16 },
  schemaDescription: 1_024,
  /** Instructions of a response: the maximum of OpenAI's Assistants API. */
  instructions: 256_000,
  /** Id of the response that a response continues. Ids have 37 characters; others belong to no response. */
  responseId: 200,
  /** Functions of one request, and all of them as JSON. */
  tools: 128,
  toolsCharacters: 400_000,
  /** Claude Code describes its tools in up to 19,000 characters. */
  toolDescription: 64_000,
  /** JSON Schema of the arguments of one function. */
  toolSchema: { characters: 100_000, depth: 15 },
  /** Calls in one message of the assistant, characters of an id, of a name and of the arguments of a call. */
  toolCalls: 128,
  /** LiteLLM writes the thought signature of a Gemini model into the id, about a thousand characters. */
  toolCallId: 8_192,
  calledName: 256,
  /** Characters of the name of a function, as of Anthropic: those of tool servers are often longer than OpenAI's. */
  functionName: 128,
  toolArguments: 200_000,
  /** What a provider adds to a call, such as the signature of Gemini. */
  extraContent: { characters: 100_000, depth: 8 },
  /** Characters of the reasoning in a message of the assistant. */
  reasoning: 1_000_000,
  /** List of the details of that reasoning. */
  reasoningDetails: { characters: 1_000_000, depth: 20 },
  /** Texts or token lists of one request for embeddings, and characters or tokens of each. */
  embeddingInputs: 2_048,
  embeddingInput: 200_000,
  embeddingDimensions: { min: 1, max: 65_536 },
  /** Characters of what the texts are for. */
  embeddingPurpose: 100,
  /** Size of an audio file to transcribe, bytes, and characters of the prompt that guides the model. */
  transcriptionBytes: 25 * 1024 * 1024,
  transcriptionPrompt: 4_000,
  /** Other form fields of a transcription, and bytes of each. */
  transcriptionFields: 20,
  transcriptionFieldBytes: 16 * 1024,
  /** Responses that one `previous_response_id` continues, and their input and output as JSON. */
  previousResponses: 250,
  previousCharacters: 8_000_000,
  /** Stored responses of one account, and the characters of their settings, input and output. The oldest are deleted first. */
  storedResponses: 10_000,
  storedCharacters: 200_000_000,
} as const;
