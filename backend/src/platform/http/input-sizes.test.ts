import 'reflect-metadata';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { AppError } from '../errors/app-error.js';
import { Nested, nestedListsOf, withinSizes } from './input-sizes.js';

class EntryDto {
  @IsString()
  name: string;
}

class ParentDto {
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Nested(() => EntryDto)
  entries: EntryDto[];
}

class InputDto extends ParentDto {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  names?: string[];

  @IsOptional()
  @IsObject()
  free?: object;
}

const keys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 0]));

it('keeps an input within its bounds as it is', () => {
  const input = { entries: [{ name: 'a' }, { name: 'b' }], names: ['c'], free: { d: [1, { e: null }] } };
  expect(withinSizes(input, InputDto, true)).toEqual(input);
  expect(withinSizes('text', InputDto, true)).toBe('text');
  expect(withinSizes(null, InputDto, true)).toBeNull();
});

it('keeps one entry more than a list may have, so that its rule refuses it', () => {
  const kept = withinSizes({ entries: Array(9).fill({ name: 'a' }), names: Array(9).fill('b') }, InputDto, true);
  expect(kept).toEqual({ entries: Array(4).fill({ name: 'a' }), names: ['b', 'b', 'b'] });
});

it('keeps some unknown fields for the rules that refuse them, at every level, or none', () => {
  const input = { ...keys(500), entries: [{ ...keys(500), name: 'a' }] };
  const kept = withinSizes(input, InputDto, true) as { entries: object[] };
  expect(Object.keys(kept)).toHaveLength(21);
  expect(Object.keys(kept.entries[0]!)).toHaveLength(21);
  expect(withinSizes(input, InputDto, false)).toEqual({ entries: [{ name: 'a' }] });
});

it('refuses a field without a bound of its own that holds too many values, by name', () => {
  for (const value of [keys(2_000), { deep: { deeper: Array(2_000).fill(0) } }]) {
    expect(() => withinSizes({ entries: [], free: value }, InputDto, true)).toThrow(AppError);
    expect(() => withinSizes({ entries: [{ name: value }] }, InputDto, false)).toThrow(/entries\.0\.name/);
  }
});

it('keeps one entry of a list in place of an object, which is refused', () => {
  class OuterDto {
    @ValidateNested()
    @Nested(() => EntryDto)
    entry: EntryDto;
  }
  expect(withinSizes({ entry: Array(20_000).fill({}) }, OuterDto, true)).toEqual({ entry: [{}] });
});

it('bounds the values of all such fields together', () => {
  const input = { entries: [{ name: Array(900).fill(0) }, { name: keys(900) }], free: keys(900) };
  expect(() => withinSizes(input, InputDto, true)).toThrow(AppError);
  expect(withinSizes({ ...input, free: keys(100) }, InputDto, true)).toEqual({ ...input, free: keys(100) });
});

it('names the lists of objects', () => {
  const entries = [{ name: 'a' }];
  expect(nestedListsOf({ entries, names: [] }, InputDto)).toEqual([
    { field: 'entries', entries, most: 3, type: EntryDto },
  ]);
  for (const other of ['a', {}, undefined]) expect(nestedListsOf({ entries: other }, InputDto)).toEqual([]);
});
