import { MODEL_PARAMETERS, type ModelParameters } from '@tanya/contract';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';

/** As typed; '' leaves a parameter to the provider. */
export type ParameterValues = Record<keyof ModelParameters, string>;

export const PARAMETER_NAMES = Object.keys(MODEL_PARAMETERS) as (keyof ModelParameters)[];

export const toParameterValues = (parameters: ModelParameters | null): ParameterValues =>
  Object.fromEntries(PARAMETER_NAMES.map((name) => [name, parameters?.[name]?.toString() ?? ''])) as ParameterValues;

/** null without any. */
export function toParameters(values: ParameterValues): ModelParameters | null {
  const given = PARAMETER_NAMES.filter((name) => values[name].trim() !== '');
  return given.length === 0 ? null : Object.fromEntries(given.map((name) => [name, Number(values[name])]));
}

/** Validation rule of a parameter: true or the error message. */
export const parameterRule =
  (name: keyof ModelParameters) =>
  (text: string): true | string => {
    if (text.trim() === '') return true;
    const { min, max, isWhole } = MODEL_PARAMETERS[name];
    const value = Number(text);
    const isValid = value >= min && value <= max && (!isWhole || Number.isInteger(value));
    return isValid || t('modelsPage.parameterRange', { min: formatNumber(min), max: formatNumber(max) });
  };
