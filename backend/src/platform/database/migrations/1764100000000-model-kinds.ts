import type { QueryRunner } from 'typeorm';

type Kind = 'chat' | 'image' | 'embedding' | 'transcription';

const IMAGE_MODEL_IDS = ['gpt-image-1', 'openai/gpt-image-1'];

/** Rows of the first migration whose kind is known. */
const FIRST_CHAT_MODEL_IDS = ['openai/gpt-4o-mini', 'openai/gpt-4o'];

/** Price of an image in messages; every other call costs one. */
const IMAGE_COST = 7;

/** Characters of a provider's name. */
const MAX_PROVIDER = 100;

/** Words of ids, as `providers/model-kind.ts` had them at this time. */
const RERANKER = /rerank/;
const EMBEDDING = /embed|minilm|(^|[-/_])(bge|gte|e5|mpnet|voyage|uae)([-_.:]|$)/;
const TRANSCRIPTION = /whisper|transcri|voxtral-mini|(^|[-/_])(asr|stt|scribe|parakeet|canary|moonshine)([-_.:]|$)/;
const IMAGE =
  /dall-?e|imagen|stable-?diffusion|diffusion-xl|(^|[-/_])(images?|flux|sdxl|sd3(\.5)?|midjourney|ideogram|recraft|seedream|kolors|hidream)([-_.:]|$)/;

const CHAT_PARAMETERS = ['tools', 'max_tokens', 'max_completion_tokens', 'stop'];

/** A row of `model`. */
interface Row {
  id: number;
  model_id: string;
  is_default: boolean;
  input_modalities: string[] | null;
  output_modalities: string[] | null;
  supported_parameters: string[] | null;
}

/** What the ledger of the last 90 days tells about the endpoint of an id. */
interface Called {
  model_id: string;
  /** Whether a program was charged for it. */
  is_called: boolean;
  /** Whether it drew an image. */
  draws: boolean;
  /** Whether it streamed text, which chat alone does. */
  chats: boolean;
  /** Whether calls had tokens of a prompt and of an answer. */
  reads: boolean;
  writes: boolean;
}

/**
 * The kinds of models. Only listed models are called by programs from now on, so the ids that they called without a row get
 * one: for premium members, and not in the picker.
 */
export class ModelKinds1764100000000 {
  name = 'ModelKinds1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "model" ADD "kind" text NOT NULL DEFAULT 'chat', ADD "is_kind_guessed" boolean NOT NULL DEFAULT false,
        ADD "is_in_picker" boolean NOT NULL DEFAULT true`,
    );
    const rows = (await runner.query(
      'select id, model_id, is_default, input_modalities, output_modalities, supported_parameters from model',
    )) as Row[];
    const called = await readCalled(runner);
    await setKinds(runner, rows, called);
    if (await isFresh(runner)) await seed(runner);
    else await listCalled(runner, rows, called);
  }
}

async function readCalled(runner: QueryRunner): Promise<Called[]> {
  return (await runner.query(
    `select model_id, bool_or(channel = 'api') as is_called, bool_or(channel = 'api' and cost = $1) as draws,
       bool_or(first_token_ms is not null) as chats, bool_or(coalesce(prompt_tokens, 0) > 0) as reads,
       bool_or(coalesce(completion_tokens, 0) > 0) as writes
     from usage_record
     where channel is not null and state = 'charged' and created_at > now() - interval '90 days' and model_id <> ''
     group by model_id order by model_id`,
    [IMAGE_COST],
  )) as Called[];
}

async function setKinds(runner: QueryRunner, rows: readonly Row[], called: readonly Called[]): Promise<void> {
  const calls = new Map(called.map((each) => [each.model_id, each]));
  for (const row of rows) {
    const known = knownKind(row);
    const call = calls.get(row.model_id);
    const guessed = call === undefined ? kindOfId(row.model_id) : kindOfCalls(call);
    // The default answers chats, whatever its id.
    const kind = known ?? (row.is_default ? null : guessed) ?? 'chat';
    await runner.query('update model set kind = $2, is_kind_guessed = $3 where id = $1', [
      row.id,
      kind,
      known === null,
    ]);
  }
}

/** Every installation that has run has an admin. */
async function isFresh(runner: QueryRunner): Promise<boolean> {
  const [user] = (await runner.query('select 1 from "user" limit 1')) as unknown[];
  return user === undefined;
}

/** A model for each call of the public API, as its examples name them. */
async function seed(runner: QueryRunner): Promise<void> {
  await runner.query(`insert into model (model_id, name, provider, description, kind) values
    ('text-embedding-3-small', 'Text Embedding 3 Small', 'OpenAI', 'turns texts into vectors', 'embedding'),
    ('whisper-1', 'Whisper', 'OpenAI', 'writes down speech', 'transcription')
    on conflict do nothing`);
}

async function listCalled(runner: QueryRunner, rows: readonly Row[], called: readonly Called[]): Promise<void> {
  const listed = new Set(rows.map((row) => bareId(row.model_id)));
  // Of several spellings the plainest is listed.
  const plainFirst = called.toSorted((one, other) => Number(isBare(other)) - Number(isBare(one)));
  for (const call of plainFirst) {
    const { model_id: modelId } = call;
    const kind = kindOfCalls(call);
    if (!call.is_called || kind === null || listed.has(bareId(modelId))) continue;
    listed.add(bareId(modelId));
    const slash = modelId.indexOf('/');
    const isSplit = slash > 0 && slash < modelId.length - 1;
    const name = isSplit ? modelId.slice(slash + 1) : modelId;
    const provider = (isSplit ? modelId.slice(0, slash) : modelId).slice(0, MAX_PROVIDER);
    await runner.query(
      `insert into model (model_id, name, provider, kind, is_kind_guessed, is_premium, is_in_picker)
       values ($1, $2, $3, $4, true, true, false)`,
      [modelId, name, provider, kind],
    );
  }
}

/** An id without case, blanks and suffix, as upstreams read it. */
const bareId = (modelId: string): string => modelId.toLowerCase().replace(/\s+/g, '').split(':', 1)[0]!;

const isBare = ({ model_id: modelId }: Called): boolean => bareId(modelId) === modelId;

/** The kind that the calls tell; null for chat, and where they do not tell. */
function kindOfCalls({
  model_id: modelId,
  is_called: isCalled,
  draws,
  chats,
  reads,
  writes,
}: Called): Exclude<Kind, 'chat'> | null {
  if (draws) return 'image';
  if (chats) return null;
  const byId = kindOfId(modelId);
  if (byId !== null || writes || !isCalled) return byId;
  // The input of embeddings is counted; sound is not.
  return reads ? 'embedding' : 'transcription';
}

/** The kind that the id or the catalogue tells for certain. */
function knownKind({ model_id: modelId, ...catalogued }: Row): Kind | null {
  if (IMAGE_MODEL_IDS.includes(modelId)) return 'image';
  if (FIRST_CHAT_MODEL_IDS.includes(modelId)) return 'chat';
  const inputs = catalogued.input_modalities ?? [];
  const outputs = catalogued.output_modalities ?? [];
  if (outputs.includes('text')) return inputs.includes('audio') && !inputs.includes('text') ? 'transcription' : 'chat';
  if (outputs.includes('image')) return 'image';
  if (outputs.includes('embeddings') || outputs.includes('embedding')) return 'embedding';
  if (outputs.includes('transcription')) return 'transcription';
  return catalogued.supported_parameters?.some((name) => CHAT_PARAMETERS.includes(name)) ? 'chat' : null;
}

function kindOfId(modelId: string): Exclude<Kind, 'chat'> | null {
  const id = modelId.toLowerCase();
  if (RERANKER.test(id)) return null;
  if (EMBEDDING.test(id)) return 'embedding';
  if (TRANSCRIPTION.test(id)) return 'transcription';
  return IMAGE.test(id) ? 'image' : null;
}
