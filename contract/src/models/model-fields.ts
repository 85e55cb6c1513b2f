import { LIMITS } from '../limits.js';
import { MODEL_KINDS, type ModelParameters, type ModelPricing, REASONING_EFFORTS } from './model-values.js';

/** Text bounds are UTF-16 code units. */
type AnyModelField =
  /** A text that is not blank. A new model without one takes it from its id. */
  | { kind: 'name'; min: number; max: number }
  /** A text; null for a blank one. An id has no blanks and invisible characters. */
  | { kind: 'text'; max: number; isId?: true }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'switch' }
  /** A switch of an admin; null: as the catalogue reports. Admins read it under another name. */
  | { kind: 'override'; shownAs: string }
  /** A whole number; null: unknown. */
  | { kind: 'whole'; min: number; max: number }
  /** The id of a connection, or null. */
  | { kind: 'connection' }
  /** Names as catalogues have them; null: not reported. */
  | { kind: 'names'; max: number }
  /** Some of the choices, in their order; null: not reported. */
  | { kind: 'choices'; choices: readonly string[] }
  /** Public ids of models, in their order. */
  | { kind: 'models'; max: number }
  /** `MODEL_PARAMETERS`; null: none. */
  | { kind: 'parameters' }
  /** `MODEL_PRICES`; null: not reported. */
  | { kind: 'prices' };

export type ModelFieldKind = AnyModelField['kind'];

/** A declared field. Admins read each, everyone a public one. */
export type ModelField<Kind extends ModelFieldKind = ModelFieldKind> = Extract<AnyModelField, { kind: Kind }> & {
  isPublic?: true;
  /** A new model can have it, a change of the model cannot: it has a call of its own. */
  hasCall?: true;
};

/**
 * The fields of a model that admins set. The rules of requests, the views of the REST calls and the values and rules of the form
 * follow from this list.
 */
export const MODEL_FIELDS = {
  /** Members read it as `ModelNames` of the server shows it, `provider` too. */
  name: { kind: 'name', isPublic: true, ...LIMITS.modelName },
  provider: { kind: 'name', isPublic: true, ...LIMITS.modelProvider },
  description: { kind: 'text', isPublic: true, max: LIMITS.modelDescription.max },
  isEnabled: { kind: 'switch', isPublic: true, hasCall: true },
  isApiEnabled: { kind: 'switch', isPublic: true, hasCall: true },
  /** Tokens. */
  contextLength: { kind: 'whole', isPublic: true, ...LIMITS.contextLength },
  /** Omitted for a new model, it follows from the modalities, else from the id. */
  kind: { kind: 'choice', isPublic: true, choices: MODEL_KINDS },
  /** Whether the picker offers it, if it is of a kind for chats. */
  isInPicker: { kind: 'switch', isPublic: true },
  /** The connection that answers; null chooses OpenRouter, else OpenAI, else a local server, else the demo. */
  connectionId: { kind: 'connection' },
  /** The id that the provider knows; null: the public one. */
  upstreamId: { kind: 'text', max: LIMITS.modelId.max, isId: true },
  /** Added to the system prompt of the settings, except for programs. */
  systemPrompt: { kind: 'text', max: LIMITS.modelPrompt.max },
  /** Of requests that do not give them. */
  parameters: { kind: 'parameters' },
  /** The models that answer instead while this one cannot; not those of these. */
  fallbacks: { kind: 'models', max: LIMITS.fallbacks },
  /** Whether tools are offered. `supportsTools` of a model as it is shown is the outcome. */
  supportsTools: { kind: 'override', shownAs: 'toolSupport' },
  pricing: { kind: 'prices' },
  inputModalities: { kind: 'names', max: LIMITS.modelList },
  outputModalities: { kind: 'names', max: LIMITS.modelList },
  /** Parameters of requests that the model supports, under OpenAI's and OpenRouter's names. */
  supportedParameters: { kind: 'names', max: LIMITS.modelList },
  /** The efforts to offer; empty for a model without reasoning. */
  reasoningEfforts: { kind: 'choices', choices: REASONING_EFFORTS },
} as const satisfies Record<string, ModelField>;

type Fields = typeof MODEL_FIELDS;

export type ModelFieldName = keyof Fields;

export const MODEL_FIELD_NAMES = Object.keys(MODEL_FIELDS) as ModelFieldName[];

/** The names of the fields with a mark. */
type Marked<Mark> = { [N in ModelFieldName]: Fields[N] extends Mark ? N : never }[ModelFieldName];

export type PublicModelField = Marked<{ isPublic: true }>;

/** The names of the fields of a kind. */
export type ModelFieldOf<Kind extends ModelFieldKind> = Marked<{ kind: Kind }>;

type ValueOf<F> = F extends { kind: 'name' }
  ? string
  : F extends { kind: 'text' }
    ? string | null
    : F extends { kind: 'choice'; choices: readonly (infer Choice)[] }
      ? Choice
      : F extends { kind: 'switch' }
        ? boolean
        : F extends { kind: 'override' }
          ? boolean | null
          : F extends { kind: 'whole' | 'connection' }
            ? number | null
            : F extends { kind: 'names' }
              ? string[] | null
              : F extends { kind: 'choices'; choices: readonly (infer Choice)[] }
                ? Choice[] | null
                : F extends { kind: 'models' }
                  ? string[]
                  : F extends { kind: 'parameters' }
                    ? ModelParameters | null
                    : F extends { kind: 'prices' }
                      ? ModelPricing | null
                      : never;

/** The fields as they are stored. */
export type ModelValues = { [N in ModelFieldName]: ValueOf<Fields[N]> };

/** The fields that a change may give; omitted ones keep their value. */
export type ModelChanges = Partial<Omit<ModelValues, Marked<{ hasCall: true }>>>;
