import {
  type AccessRule,
  type AdminModel,
  MODEL_FIELD_NAMES,
  MODEL_FIELDS,
  type ModelField,
  type ModelFieldKind,
  type ModelFieldName,
  type ModelFieldOf,
  type ModelKind,
  type ModelValues,
  type ReasoningEffort,
  type UpdateModelRequest,
} from '@tanya/contract';
import { type ParameterValues, toParameters, toParameterValues } from './parameter-values';
import { PRICE_NAMES, type PriceName, type PriceValues, toPriceValues, toPricing } from './price-values';

/** The fields that the form changes: modalities and the like are those of the catalogue, and some fields have a switch in the list. */
type FormField = Exclude<ModelFieldName, ModelFieldOf<'names'> | 'isEnabled' | 'isApiEnabled'>;

const FORM_FIELDS = MODEL_FIELD_NAMES.filter((name): name is FormField => {
  const field: ModelField = MODEL_FIELDS[name];
  return field.kind !== 'names' && !field.hasCall;
});

/** The fields that are typed. */
export type TypedField = ModelFieldOf<'name' | 'text' | 'whole'>;

export const TYPED_FIELDS = FORM_FIELDS.filter((name): name is TypedField =>
  (['name', 'text', 'whole'] as ModelFieldKind[]).includes(MODEL_FIELDS[name].kind),
);

type FormKind = Exclude<ModelFieldKind, 'names'>;

/** What the form holds for a field of each kind: texts and numbers as typed, choices by their value; '' for null. */
interface Entered {
  name: string;
  text: string;
  whole: string;
  connection: string;
  override: string;
  switch: boolean;
  /** '' keeps a guessed kind. */
  choice: ModelKind | '';
  choices: ReasoningEffort[];
  /** An id for each place; '' for none. */
  models: string[];
  parameters: ParameterValues;
  prices: PriceValues;
}

export type ModelFormValues = { [N in FormField]: Entered[(typeof MODEL_FIELDS)[N]['kind'] & FormKind] } & {
  rule: AccessRule;
};

type Stored<Kind extends FormKind> = ModelValues[ModelFieldOf<Kind>];

interface Conversion<Kind extends FormKind> {
  show: (stored: Stored<Kind>, model: AdminModel, field: ModelField<Kind>) => Entered[Kind];
  /** @returns undefined for a value that stays */
  send: (entered: Entered[Kind], model: AdminModel, prices: PriceName[]) => Stored<Kind> | undefined;
}

const NUMBER = {
  show: (stored: number | null): string => stored?.toString() ?? '',
  send: (text: string): number | null => (text.trim() === '' ? null : Number(text)),
};

const CONVERSIONS: { [Kind in FormKind]: Conversion<Kind> } = {
  name: { show: (stored) => stored, send: (text) => text.trim() },
  text: { show: (stored) => stored ?? '', send: (text) => text.trim() || null },
  whole: NUMBER,
  connection: NUMBER,
  override: {
    show: (stored) => stored?.toString() ?? '',
    send: (choice) => (choice === '' ? null : choice === 'true'),
  },
  switch: { show: (stored) => stored, send: (isOn) => isOn },
  choice: { show: (kind, { isKindGuessed }) => (isKindGuessed ? '' : kind), send: (kind) => kind || undefined },
  choices: { show: (stored) => stored ?? [], send: (chosen) => chosen },
  models: {
    show: (ids, _model, { max }) => Array.from({ length: max }, (_, place) => ids[place] ?? ''),
    send: (places) => places.filter((id) => id !== ''),
  },
  parameters: { show: toParameterValues, send: toParameters },
  prices: { show: toPriceValues, send: (entered, { pricing }, prices) => toPricing(entered, pricing, prices) },
};

/** Of a field whose kind is not known here. */
const conversionOf = (name: FormField) => CONVERSIONS[MODEL_FIELDS[name].kind] as Conversion<FormKind>;

export function toFormValues(model: AdminModel): ModelFormValues {
  const values = FORM_FIELDS.map((name) => {
    const field: ModelField = MODEL_FIELDS[name];
    const stored = field.kind === 'override' ? model.toolSupport : model[name];
    return [name, conversionOf(name).show(stored ?? null, model, field)];
  });
  return { ...Object.fromEntries(values), rule: { access: model.access, groupIds: model.groupIds } } as ModelFormValues;
}

/** Which fields differ from what the form has shown at first. */
export type Edited = { [N in FormField]?: unknown } & { pricing?: Partial<Record<PriceName, boolean>> };

/** The request for the edited fields alone: another admin may have changed the others since. */
export function toChange(values: ModelFormValues, edited: Edited, model: AdminModel): UpdateModelRequest {
  const prices = PRICE_NAMES.filter((price) => edited.pricing?.[price]);
  const names = FORM_FIELDS.filter((name) => (name === 'pricing' ? prices.length > 0 : edited[name]));
  return Object.fromEntries(names.map((name) => [name, conversionOf(name).send(values[name], model, prices)]));
}
