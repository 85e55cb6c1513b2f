import { isFields, type Fields } from '../../../platform/json/fields.js';

type Schema = Readonly<Fields>;

/** Levels of a schema that are read, as a reference to itself has no end. */
const MAX_DEPTH = 12;

/** Alternatives and parts of one place that are read. */
const MAX_ALTERNATIVES = 20;

/** Characters of a plain schema, and of those of all tools of a request: references repeat what they refer to. */
const MAX_CHARACTERS = 100_000;
const MAX_ALL_CHARACTERS = 500_000;

/** What each schema counts beside its texts. */
const SCHEMA_CHARACTERS = 100;

/** The words of a schema that are read beside references and `allOf`. */
const WORDS = [
  ...['type', 'description', 'properties', 'required', 'items', 'prefixItems'],
  ...['enum', 'const', 'anyOf', 'oneOf'],
];

const schemasIn = (value: unknown): Schema[] =>
  Array.isArray(value) ? value.slice(0, MAX_ALTERNATIVES).filter(isFields) : [];
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

const charactersOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length + 1, 0);

/**
 * JSON Schemas in the few words that every provider reads: one type in each place, descriptions, properties with the
 * required ones, items, lists of texts, and alternatives. References are written out, and an untyped value is a text.
 * Patterns, bounds, formats and defaults go: the tool checks its arguments itself.
 */
export class PlainSchemas {
  private root: Schema = {};
  /** Characters that are left for the present schema, and for all. */
  private left = 0;
  private leftOfAll = MAX_ALL_CHARACTERS;

  /** The plain form of a schema; the schema itself after too many others. */
  plain(schema: Schema): Schema {
    if (this.leftOfAll < 0) return schema;
    this.root = schema;
    this.left = MAX_CHARACTERS;
    const { type: _, properties = {}, ...rest } = this.read({ ...schema, type: 'object' }, 0);
    return { type: 'object', properties, ...rest };
  }

  private spend(characters: number): void {
    this.left -= characters;
    this.leftOfAll -= characters;
  }

  private read(given: Schema, depth: number): Schema {
    this.spend(SCHEMA_CHARACTERS);
    if (depth === MAX_DEPTH || this.left < 0) return { type: 'string' };
    const schema = this.whole(given, 0);
    const { description } = schema;
    const remark = typeof description === 'string' && description !== '' ? { description } : {};
    this.spend(remark.description?.length ?? 0);
    const alternatives = alternativesOf(schema);
    // A place with alternatives has no type of its own.
    if (alternatives !== null) return { ...this.readAlternatives(alternatives, depth), ...remark };
    const type = typeOf(schema);
    return { type, ...remark, ...this.fieldsOf(type, type === 'object' ? this.withAll(schema) : schema, depth) };
  }

  /** An object with the properties of its alternatives, of which none has to be there. */
  private withAll(schema: Schema): Schema {
    return schemasIn(schema['anyOf'] ?? schema['oneOf'])
      .map((each) => this.whole(each, 0)['properties'])
      .reduce<Schema>((merged, properties) => ({ ...merged, ...this.joined(merged, { properties }) }), schema);
  }

  private fieldsOf(type: string, schema: Schema, depth: number): Schema {
    if (type === 'array') return { items: this.readItems(schema, depth + 1) };
    if (type === 'string') {
      const texts = textsIn(schema['enum'] ?? [schema['const']]).filter((text) => text !== '');
      this.spend(charactersOf(texts));
      return texts.length === 0 ? {} : { enum: [...new Set(texts)] };
    }
    const { properties } = schema;
    if (type !== 'object' || !isFields(properties)) return {};
    this.spend(charactersOf(Object.keys(properties)));
    const read = Object.entries(properties).map(([name, property]) => [
      name,
      this.read(isFields(property) ? property : {}, depth + 1),
    ]);
    const required = textsIn(schema['required']).filter((name) => Object.hasOwn(properties, name));
    return { properties: Object.fromEntries(read) as Schema, ...(required.length > 0 && { required }) };
  }

  private readItems({ items, prefixItems }: Schema, depth: number): Schema {
    if (isFields(items)) return this.read(items, depth);
    const [first] = [...schemasIn(items), ...schemasIn(prefixItems)];
    return this.read(first ?? {}, depth);
  }

  private readAlternatives(alternatives: readonly Schema[], depth: number): Schema {
    const [first, ...others] = alternatives.map((each) => this.read(each, depth + 1));
    return others.length === 0 ? first! : { anyOf: [first, ...others] };
  }

  /** A schema with what it refers to and with the parts of `allOf`. Its own words count before theirs. */
  private whole(schema: Schema, depth: number): Schema {
    const { $ref, allOf } = schema;
    const own: Fields = {};
    for (const word of WORDS) if (schema[word] !== undefined) own[word] = schema[word];
    if (depth === MAX_DEPTH || this.left < 0 || ($ref === undefined && allOf === undefined)) return own;
    const target = typeof $ref === 'string' ? this.targetOf($ref) : null;
    const parts = [...(target === null ? [] : [target]), ...schemasIn(allOf)];
    this.spend(SCHEMA_CHARACTERS * parts.length);
    return parts
      .map((part) => this.whole(part, depth + 1))
      .reduce<Schema>((merged, part) => ({ ...part, ...merged, ...this.joined(merged, part) }), own);
  }

  /** The schema of a reference such as `#/$defs/Input`. */
  private targetOf(reference: string): Schema | null {
    this.spend(reference.length);
    if (!reference.startsWith('#/')) return null;
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, name) => (isFields(value) ? value[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        this.root,
      );
    return isFields(target) ? target : null;
  }

  /** The properties and the required names of two schemas that hold together. */
  private joined(one: Schema, other: Schema): Schema {
    const [ofOne, ofOther] = [one['properties'], other['properties']];
    const required = [...textsIn(one['required']), ...textsIn(other['required'])];
    this.spend(charactersOf(required) + (isFields(ofOther) ? charactersOf(Object.keys(ofOther)) : 0));
    return {
      ...((isFields(ofOne) || isFields(ofOther)) && {
        properties: { ...(isFields(ofOther) && ofOther), ...(isFields(ofOne) && ofOne) },
      }),
      ...(required.length > 0 && { required: [...new Set(required)] }),
    };
  }
}

/** The alternatives of a place, without null: of `anyOf` or `oneOf`, or of several types; null where there are none. */
function alternativesOf({ anyOf, oneOf, type, ...rest }: Schema): Schema[] | null {
  const isObject = type === 'object' || isFields(rest['properties']);
  const listed = schemasIn(anyOf ?? oneOf).filter((each) => each['type'] !== 'null' && !isNever(each));
  // Alternatives of an object say most often which of its properties go together.
  if (listed.length > 0 && !isObject) return listed;
  const types = typesIn(type);
  return types.length > 1 ? types.map((name) => ({ ...rest, type: name })) : null;
}

/** Whether no value fits, as of the alternative with which Zod says that a field may be absent. */
const isNever = ({ not }: Schema): boolean => isFields(not) && Object.keys(not).length === 0;

const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

const typesIn = (type: unknown): string[] =>
  (Array.isArray(type) ? [...new Set(textsIn(type.slice(0, MAX_ALTERNATIVES)))] : textsIn([type])).filter((name) =>
    TYPES.includes(name),
  );

function typeOf({ type, properties, items, prefixItems }: Schema): string {
  const [named] = typesIn(type);
  if (named !== undefined) return named;
  if (isFields(properties)) return 'object';
  return items !== undefined || prefixItems !== undefined ? 'array' : 'string';
}
