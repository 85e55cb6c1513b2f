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

/** Texts and numbers as typed, choices by their value; '' for null. */
export type ModelFormValues = Record<TypedField | ModelFieldOf<'override' | 'connection'>, string> &
  Record<ModelFieldOf<'switch'>, boolean> & {
    /** '' keeps a guessed kind. */
    kind: ModelKind | '';
    reasoningEfforts: ReasoningEffort[];
    /** An id for each place; '' for none. */
    fallbacks: string[];
    parameters: ParameterValues;
    pricing: PriceValues;
    rule: AccessRule;
  };

export function toFormValues(model: AdminModel): ModelFormValues {
  const values = FORM_FIELDS.map((name) => [name, shownValue(name, model)] as const);
  return { ...Object.fromEntries(values), rule: { access: model.access, groupIds: model.groupIds } } as ModelFormValues;
}

function shownValue(name: FormField, model: AdminModel): unknown {
  const field = MODEL_FIELDS[name];
  switch (field.kind) {
    case 'switch':
      return model[name];
    case 'override':
      return model[field.shownAs]?.toString() ?? '';
    case 'choice':
      return model.isKindGuessed ? '' : model.kind;
    case 'choices':
      return model[name] ?? [];
    case 'models':
      return Array.from({ length: field.max }, (_, place) => model.fallbacks[place] ?? '');
    case 'parameters':
      return toParameterValues(model.parameters);
    case 'prices':
      return toPriceValues(model.pricing);
    default:
      return String((model[name] as string | number | null) ?? '');
  }
}

/** Which fields differ from what the form has shown at first. */
export type Edited = { [N in FormField]?: unknown } & { pricing?: Partial<Record<PriceName, boolean>> };

/** The request for the edited fields alone: another admin may have changed the others since. */
export function toChange(values: ModelFormValues, edited: Edited, model: AdminModel): UpdateModelRequest {
  const prices = PRICE_NAMES.filter((price) => edited.pricing?.[price]);
  const names = FORM_FIELDS.filter((name) => (name === 'pricing' ? prices.length > 0 : edited[name]));
  const pricing = toPricing(values.pricing, model.pricing, prices);
  return Object.fromEntries(names.map((name) => [name, name === 'pricing' ? pricing : enteredValue(name, values)]));
}

function enteredValue(name: Exclude<FormField, 'pricing'>, values: ModelFormValues): unknown {
  const value = values[name];
  const text = typeof value === 'string' ? value.trim() : '';
  switch (MODEL_FIELDS[name].kind) {
    case 'name':
      return text;
    case 'text':
      return text || null;
    case 'whole':
    case 'connection':
      return text === '' ? null : Number(text);
    case 'override':
      return text === '' ? null : text === 'true';
    case 'choice':
      return text || undefined;
    case 'models':
      return values.fallbacks.filter((id) => id !== '');
    case 'parameters':
      return toParameters(values.parameters);
    default:
      return value;
  }
}
