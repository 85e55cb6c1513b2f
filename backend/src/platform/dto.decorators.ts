import { Transform } from 'class-transformer';
import { ValidateIf } from 'class-validator';

/** A field that may be left out. Unlike IsOptional it does not let null through to a column that can't hold it. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_, value: unknown) => value !== undefined);

/** A field that may be left out or emptied with null. */
export const MayBeEmpty = (): PropertyDecorator =>
  ValidateIf((_, value: unknown) => value !== undefined && value !== null);

/** Text without the blanks around it. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Forms send '' for what was left empty; stored it is null. */
export const TrimmedOrNull = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() || null : value));
