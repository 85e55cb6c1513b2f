type Schema = Readonly<Record<string, unknown>>;

/** Levels of a schema that are read, as a reference to itself has no end, and schemas in it. */
const MAX_DEPTH = 12;
const MAX_SCHEMAS = 2_000;

/** Alternatives of one place that are kept. */
const MAX_ALTERNATIVES = 20;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/**
 * A JSON Schema in the few words that every provider reads: one type in each place, descriptions, properties with the
 * required ones, items, lists of texts, and alternatives. References are written out, and an untyped value is a text.
 * Patterns, bounds, formats and defaults go: the tool checks its arguments itself.
 */
export const plainSchema = (schema: Schema): Schema => {
  const { type: _, properties = {}, ...rest } = new PlainSchemas(schema).read({ ...schema, type: 'object' }, 0);
  return { type: 'object', properties, ...rest };
};

class PlainSchemas {
  private schemas = 0;

  constructor(private readonly root: Schema) {}

  read(given: Schema, depth: number): Schema {
    this.schemas += 1;
    const schema = this.whole(given, 0);
    const { description } = schema;
    const remark = typeof description === 'string' && description !== '' ? { description } : {};
    if (depth === MAX_DEPTH || this.schemas > MAX_SCHEMAS) return { type: 'string', ...remark };
    const alternatives = alternativesOf(schema);
    // A place with alternatives has no type of its own.
    if (alternatives !== null) return { ...this.readAlternatives(alternatives, depth), ...remark };
    const type = typeOf(schema);
    return { type, ...remark, ...this.fieldsOf(type, type === 'object' ? this.withAll(schema) : schema, depth) };
  }

  /** An object with the properties of its alternatives, of which none has to be there. */
  private withAll(schema: Schema): Schema {
    const alternatives = schemasIn(schema['anyOf'] ?? schema['oneOf']).slice(0, MAX_ALTERNATIVES);
    return alternatives
      .map((each) => this.whole(each, 0)['properties'])
      .reduce<Schema>((merged, properties) => ({ ...merged, ...joined(merged, { properties }) }), schema);
  }

  private fieldsOf(type: string, schema: Schema, depth: number): Schema {
    if (type === 'array') return { items: this.readItems(schema, depth + 1) };
    if (type === 'string') {
      const texts = textsIn(schema['enum'] ?? [schema['const']]).filter((text) => text !== '');
      return texts.length === 0 ? {} : { enum: [...new Set(texts)] };
    }
    const { properties } = schema;
    if (type !== 'object' || !isSchema(properties)) return {};
    const read = Object.entries(properties).map(([name, property]) => [
      name,
      this.read(isSchema(property) ? property : {}, depth + 1),
    ]);
    const required = textsIn(schema['required']).filter((name) => Object.hasOwn(properties, name));
    return { properties: Object.fromEntries(read) as Schema, ...(required.length > 0 && { required }) };
  }

  private readItems({ items, prefixItems }: Schema, depth: number): Schema {
    if (isSchema(items)) return this.read(items, depth);
    const [first] = [...schemasIn(items), ...schemasIn(prefixItems)];
    return this.read(first ?? {}, depth);
  }

  private readAlternatives(alternatives: readonly Schema[], depth: number): Schema {
    const [first, ...others] = alternatives.map((each) => this.read(each, depth + 1));
    return others.length === 0 ? first! : { anyOf: [first, ...others] };
  }

  /** A schema with what it refers to and with the parts of `allOf`. Its own words count before theirs. */
  private whole(schema: Schema, depth: number): Schema {
    const { $ref, allOf, ...own } = schema;
    if (depth === MAX_DEPTH || ($ref === undefined && allOf === undefined)) return own;
    const target = typeof $ref === 'string' ? this.targetOf($ref) : null;
    const parts = [...(target === null ? [] : [target]), ...schemasIn(allOf).slice(0, MAX_ALTERNATIVES)];
    return parts
      .map((part) => this.whole(part, depth + 1))
      .reduce<Schema>((merged, part) => ({ ...part, ...merged, ...joined(merged, part) }), own);
  }

  /** The schema of a reference such as `#/$defs/Input`. */
  private targetOf(reference: string): Schema | null {
    if (!reference.startsWith('#/')) return null;
    const target = reference
      .slice(2)
      .split('/')
      .reduce<unknown>(
        (value, name) => (isSchema(value) ? value[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        this.root,
      );
    return isSchema(target) ? target : null;
  }
}

/** The properties and the required names of two schemas that hold together. */
function joined(one: Schema, other: Schema): Schema {
  const [ofOne, ofOther] = [one['properties'], other['properties']];
  const required = [...textsIn(one['required']), ...textsIn(other['required'])];
  return {
    ...((isSchema(ofOne) || isSchema(ofOther)) && {
      properties: { ...(isSchema(ofOther) && ofOther), ...(isSchema(ofOne) && ofOne) },
    }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** The alternatives of a place, without null: of `anyOf` or `oneOf`, or of several types; null where there are none. */
function alternativesOf({ anyOf, oneOf, type, ...rest }: Schema): Schema[] | null {
  const isObject = type === 'object' || isSchema(rest['properties']);
  const listed = schemasIn(anyOf ?? oneOf).filter((each) => each['type'] !== 'null');
  // Alternatives of an object say most often which of its properties go together.
  if (listed.length > 0 && !isObject) return listed.slice(0, MAX_ALTERNATIVES);
  const types = textsIn(type).filter((name) => name !== 'null');
  return types.length > 1 ? types.map((name) => ({ ...rest, type: name })) : null;
}

const TYPES: readonly string[] = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

function typeOf({ type, properties, items, prefixItems }: Schema): string {
  const [named] = [type, ...textsIn(type)].filter((name) => typeof name === 'string' && TYPES.includes(name));
  if (typeof named === 'string') return named;
  if (isSchema(properties)) return 'object';
  return items !== undefined || prefixItems !== undefined ? 'array' : 'string';
}
