import { Transform } from 'class-transformer';
import {
  Allow,
  buildMessage,
  IsOptional,
  IsUUID,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';

/** A field that may be left out. Unlike IsOptional it does not let null through to a column that can't hold it. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** A field that may be left out or emptied with null. */
export const MayBeEmpty = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined && value !== null);

/** A field that may be left out, and null is the same as leaving it out: nobody behind the validation meets it. */
export const NullIsAbsent = (): PropertyDecorator => (target, key) => {
  Transform(({ value }: { value: unknown }) => value ?? undefined)(target, key);
  IsOptional()(target, key);
};

/** A field that may come along and counts for nothing. */
export const Ignored = (): PropertyDecorator => (target, key) => {
  Transform(() => undefined)(target, key);
  Allow()(target, key);
};

/** Text without the blanks around it. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

const BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

/** Text of one line: what breaks lines becomes a blank, and there are none around it. */
export const OneLine = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.replace(BREAKS, ' ').trim() : value));

/** Forms send '' for what was left empty; stored it is null. */
export const TrimmedOrNull = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || null : value));

/**
 * Lengths in UTF-16 units, as LIMITS means them and as inputs of the browser count; class-validator's own take an emoji
 * for one and would let through what the page refuses. Under their names, so that the API's description knows them.
 */
export const MinLength = (min: number, options?: ValidationOptions): PropertyDecorator =>
  lengthRule('minLength', min, (length) => length >= min, `longer than or equal to ${min} characters`, options);

export const MaxLength = (max: number, options?: ValidationOptions): PropertyDecorator =>
  lengthRule('maxLength', max, (length) => length <= max, `shorter than or equal to ${max} characters`, options);

function lengthRule(
  name: string,
  bound: number,
  fits: (length: number) => boolean,
  words: string,
  options?: ValidationOptions,
): PropertyDecorator {
  // What is no text is refused by IsString, in words of its own.
  const validate = (value: unknown) => typeof value !== 'string' || fits(value.length);
  const defaultMessage = buildMessage((each) => `${each}$property must be ${words}`, options);
  return ValidateBy({ name, constraints: [bound], validator: { validate, defaultMessage } }, options);
}

/** Case makes no other UUID: everything behind compares it in lower case, as Postgres and `randomUUID` write it. */
export const IsUuid = (): PropertyDecorator => (target, key) => {
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value))(target, key);
  IsUUID()(target, key);
};
