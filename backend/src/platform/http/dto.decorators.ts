import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  buildMessage,
  IsArray,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import { MAX_SMALL_ID } from './id.pipe.js';
import { type Class, Nested } from './input-sizes.js';

/** Optional field. Unlike IsOptional it refuses null, which a NOT NULL column cannot hold. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** Optional field that null clears. */
export const MayBeEmpty = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined && value !== null);

/** Optional field; null becomes undefined. */
export const NullIsAbsent = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => value ?? undefined),
    IsOptional(),
  );

/** Accepted but discarded field. */
export const Ignored = (): PropertyDecorator =>
  applyDecorators(
    Transform(() => undefined),
    Allow(),
  );

export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

const BREAKS = /[\n\v\f\r\u0085\u2028\u2029]+/g;

const oneLine = (value: unknown): unknown => (typeof value === 'string' ? value.replace(BREAKS, ' ').trim() : value);

/** Replaces line breaks by spaces and trims. */
export const OneLine = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => oneLine(value));

export const EachOneLine = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(oneLine) : value));

/** Optional text, trimmed. A blank one becomes null, which clears it. */
export const MayBeBlank = (): PropertyDecorator =>
  applyDecorators(
    MayBeEmpty(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || null : value)),
  );

/**
 * Length rules in UTF-16 units, as LIMITS and browser inputs count; class-validator's own rules count an emoji as one.
 * They keep class-validator's names, which the API description maps to JSON Schema.
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
  // IsString refuses other types with its own message.
  const validate = (value: unknown) => typeof value !== 'string' || fits(value.length);
  const defaultMessage = buildMessage((each) => `${each}$property must be ${words}`, options);
  return ValidateBy({ name, constraints: [bound], validator: { validate, defaultMessage } }, options);
}

const nameRequired = { message: 'Please enter a name.' };

/** The name of a thing, on one line. */
export const IsName = ({ min, max }: { min: number; max: number }): PropertyDecorator =>
  applyDecorators(OneLine(), IsString(nameRequired), MinLength(min, nameRequired), MaxLength(max));

/**
 * A list whose texts or numbers are all different, with the name and the sentence of class-validator's `ArrayUnique`, whose
 * time is quadratic.
 */
export const IsUnique = (options?: ValidationOptions): PropertyDecorator => {
  const validate = (value: unknown) => Array.isArray(value) && new Set(value).size === value.length;
  const defaultMessage = buildMessage((each) => `${each}All $property's elements must be unique`, options);
  return ValidateBy({ name: 'arrayUnique', validator: { validate, defaultMessage } }, options);
};

/** The type is checked before the bounds. */
export const IsWholeWithin = ({ min, max }: { min: number; max: number }): PropertyDecorator =>
  applyDecorators(IsInt(), Min(min), Max(max));

/** An optional number. */
export const IsNumberWithin = ({ min, max }: { min: number; max: number }): PropertyDecorator =>
  applyDecorators(IsNumber({ allowNaN: false, allowInfinity: false }), Min(min), Max(max), NullIsAbsent());

/** An id of a table whose ids are 32-bit integers. */
export const IsSmallId = (): PropertyDecorator => IsWholeWithin({ min: 1, max: MAX_SMALL_ID });

/** An object with the rules of a class. */
export const IsObjectOf = (type: () => Class): PropertyDecorator =>
  applyDecorators(Nested(type), IsObject(), ValidateNested());

/** A list of objects with the rules of a class. */
export const IsListOf = (type: () => Class, most: number): PropertyDecorator =>
  applyDecorators(
    Nested(type),
    ValidateNested({ each: true }),
    IsArray(),
    ArrayMaxSize(most),
    IsObject({ each: true }),
  );

/** A list of ids, each once, of a table whose ids are 32-bit integers. */
export const AreSmallIds = (most: number): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ArrayMaxSize(most),
    IsUnique(),
    IsInt({ each: true }),
    Min(1, { each: true }),
    Max(MAX_SMALL_ID, { each: true }),
  );

/** UUID in lower case, as Postgres and `randomUUID` write it. */
export const IsUuid = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    IsUUID(),
  );
