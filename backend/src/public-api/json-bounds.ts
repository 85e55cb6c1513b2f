import { ValidateBy } from 'class-validator';

/** JSON of at most `characters`, nested at most `depth` levels. */
export const IsJsonWithin = ({ characters, depth }: { characters: number; depth: number }): PropertyDecorator =>
  ValidateBy({
    name: 'isJsonWithin',
    validator: {
      validate: (value) => depthOf(value, depth) <= depth && JSON.stringify(value).length <= characters,
      defaultMessage: () => `$property must have at most ${characters} characters of JSON in ${depth} levels`,
    },
  });

/** Levels of nesting, counted up to one more than `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (most === 0) return 1;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, most - 1)), 0);
}
