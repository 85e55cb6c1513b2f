import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import { cacheRules } from './validation-metadata.js';

class Base {
  @IsInt()
  size: unknown = 'none';
}

class Named extends Base {
  @IsString()
  name: unknown = 1;
}

class Titled extends Base {
  @IsString()
  title: unknown = 1;
}

const fieldsOf = (object: object) => validateSync(object).map(({ property }) => property);

describe('remembered rules', () => {
  beforeAll(() => cacheRules());

  it('are those of the class and its parents, however often an object is validated', () => {
    for (let time = 0; time < 2; time += 1) {
      expect(fieldsOf(new Named()).sort()).toEqual(['name', 'size']);
      expect(fieldsOf(new Titled()).sort()).toEqual(['size', 'title']);
      expect(fieldsOf(new Base())).toEqual(['size']);
    }
  });

  it('are collected once for a class', () => {
    const rulesOf = (target: typeof Base) =>
      getMetadataStorage().getTargetValidationMetadatas(target, undefined as never, false, false);
    expect(rulesOf(Named)).toBe(rulesOf(Named));
    // For an object in another one, class-validator names the class of the outer one.
    expect(getMetadataStorage().getTargetValidationMetadatas(Named, 'Outer', false, false)).toBe(rulesOf(Named));
    expect(rulesOf(Titled)).not.toBe(rulesOf(Named));
  });

  it('are not kept for a constructor that a client names', () => {
    const rulesOf = () => getMetadataStorage().getTargetValidationMetadatas('any' as never, '', false, false);
    expect(rulesOf()).toEqual([]);
    expect(rulesOf()).not.toBe(rulesOf());
  });
});
