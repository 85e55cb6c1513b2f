import { IMAGE_MODEL_IDS, type ModelCapabilities, type ModelKind } from '@tanya/contract';

/** The fields of a catalogue that imply a kind. null or absent: not reported. */
type KindClues = Partial<Pick<ModelCapabilities, 'inputModalities' | 'outputModalities' | 'supportedParameters'>>;

interface FoundKind {
  kind: ModelKind;
  /** Whether the kind follows from the id alone, or from nothing. */
  isKindGuessed: boolean;
}

/** OpenRouter's output modalities of models that write no text. */
const OUTPUTS: Readonly<Record<string, ModelKind>> = {
  image: 'image',
  embeddings: 'embedding',
  embedding: 'embedding',
  transcription: 'transcription',
};

/** Parameters of calls for chat alone. */
const CHAT_PARAMETERS = ['tools', 'max_tokens', 'max_completion_tokens', 'stop'];

/** Rerankers score texts; their ids otherwise look like those of embeddings. */
const RERANKER = /rerank/;

/** Words of the ids of each kind, in this order: `multimodal-image-embedding` embeds. */
const ID_WORDS: readonly (readonly [ModelKind, RegExp])[] = [
  ['embedding', /embed|minilm|paraphrase-|(^|[-/_])(bge|gte|e5|mpnet|voyage|uae)([-_.:]|$)/],
  ['transcription', /whisper|transcri|voxtral-mini|(^|[-/_])(asr|stt|scribe|parakeet|canary|moonshine)([-_.:]|$)/],
  [
    'image',
    /dall-?e|imagen|stable-?diffusion|diffusion-xl|(^|[-/_])(images?|flux|sdxl|sd3(\.5)?|midjourney|ideogram|recraft|seedream|kolors|hidream)([-_.:]|$)/,
  ],
];

/**
 * The kind of a model. Modalities or parameters of a catalogue decide: a model that writes text and reads more than sound is
 * for chat, even if it also draws. Otherwise words of the id decide, and an id without any is for chat.
 */
export function kindOf(modelId: string, clues: KindClues = {}): FoundKind {
  if (IMAGE_MODEL_IDS.includes(modelId)) return { kind: 'image', isKindGuessed: false };
  const reported = reportedKind(clues);
  if (reported !== null) return { kind: reported, isKindGuessed: false };
  return { kind: kindOfId(modelId), isKindGuessed: true };
}

function reportedKind({ inputModalities, outputModalities, supportedParameters }: KindClues): ModelKind | null {
  const inputs = inputModalities ?? [];
  const outputs = outputModalities ?? [];
  if (outputs.includes('text')) {
    const hearsAlone = inputs.includes('audio') && !inputs.includes('text');
    return hearsAlone ? 'transcription' : 'chat';
  }
  const output = outputs.find((name) => Object.hasOwn(OUTPUTS, name));
  if (output !== undefined) return OUTPUTS[output]!;
  return supportedParameters?.some((name) => CHAT_PARAMETERS.includes(name)) ? 'chat' : null;
}

function kindOfId(modelId: string): ModelKind {
  const id = modelId.toLowerCase();
  if (RERANKER.test(id)) return 'chat';
  return ID_WORDS.find(([, words]) => words.test(id))?.[0] ?? 'chat';
}
