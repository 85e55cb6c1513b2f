import { isFields } from '../../platform/json/fields.js';

type Schema = Record<string, unknown>;

/** Keywords that combine whole schemas, and references to one. */
const COMBINERS = ['anyOf', 'oneOf', 'allOf', '$ref', 'if'] as const;

/** Alternatives of one list that are read. */
const MAX_ALTERNATIVES = 50;

/**
 * The parameters of a tool as providers take them: an object with `properties`, and no alternatives at its top. The schema
 * that the admin reviewed stays as it is; the server checks the arguments itself.
 */
export function modelSchema(listed: Schema): Schema {
  const schema = COMBINERS.some((name) => name in listed) ? merged(listed) : listed;
  // OpenAI refuses a request with any of these at the top of a tool.
  const { type: _, enum: _1, const: _2, not: _3, properties, required, ...rest } = schema;
  const names = namesIn(required).filter((name) => !isFields(properties) || properties[name] !== false);
  return {
    type: 'object',
    properties: isFields(properties) ? withoutBooleans(properties) : {},
    ...(names.length > 0 && { required: names }),
    ...rest,
  };
}

/** Properties without the schemas `true`, which some providers refuse, and `false`, which no value fits. */
function withoutBooleans(properties: Schema): Schema {
  if (!Object.values(properties).some((property) => typeof property === 'boolean')) return properties;
  const allowed = Object.entries(properties).filter(([, property]) => property !== false);
  return Object.fromEntries(allowed.map(([name, property]) => [name, property === true ? {} : property]));
}

/** The properties of a schema, each with its variants by their JSON, and the names of those that it requires. */
interface Fields {
  properties: Map<string, ReadonlyMap<string, unknown>>;
  required: ReadonlySet<string>;
}

const NO_FIELDS: Fields = { properties: new Map(), required: new Set() };

/** A schema whose alternatives are one object: with the properties of all, of which those are required that all require. */
function merged(listed: Schema): Schema {
  // A closed alternative would refuse the properties of the others.
  const { anyOf: _, oneOf: _1, allOf: _2, $ref: _3, additionalProperties: _4, ...others } = listed;
  const { if: _5, then: _6, else: _7, ...open } = others;
  const { properties, required } = new FieldReader(listed).read(listed);
  const schemas = [...properties].map(([name, variants]) => {
    const listedOnce = [...variants.values()];
    return [name, listedOnce.length === 1 ? listedOnce[0] : { anyOf: listedOnce }];
  });
  return { ...open, properties: Object.fromEntries(schemas) as Schema, required: [...required] };
}

/** Reads the fields of schemas within one. */
class FieldReader {
  /** Of each reference once: a schema may refer to itself, and many times to another. */
  private readonly targets = new Map<string, Fields>();

  constructor(private readonly root: Schema) {}

  read(schema: Schema): Fields {
    const [onlyKey, ...otherKeys] = Object.keys(schema);
    if (onlyKey === '$ref' && otherKeys.length === 0) return this.readTarget(schema['$ref'])[0] ?? NO_FIELDS;
    const own = isFields(schema['properties']) ? Object.entries(schema['properties']) : [];
    const properties: Fields['properties'] = new Map(
      own.map(([name, property]) => [name, new Map([[JSON.stringify(property), property]])]),
    );
    const parts = [...this.readTarget(schema['$ref']), ...this.readAll(schema['allOf'])];
    const branches = 'if' in schema ? [schema['then'] ?? {}, schema['else'] ?? {}] : [];
    const alternatives = [schema['anyOf'], schema['oneOf'], branches].map((each) => this.readAll(each));
    for (const each of [...parts, ...alternatives.flat()]) addVariants(properties, each.properties);
    const required = new Set(namesIn(schema['required']));
    for (const names of [...parts.map((part) => part.required), ...alternatives.map(requiredByAll)])
      for (const name of names) required.add(name);
    return { properties, required };
  }

  private readAll(schemas: unknown): Fields[] {
    const listed = Array.isArray(schemas) ? schemas.filter(isFields).slice(0, MAX_ALTERNATIVES) : [];
    // References to one schema have the same fields, which may be many.
    return [...new Set(listed.map((each) => this.read(each)))];
  }

  /** The schema of a reference such as `#/$defs/Input`. */
  private readTarget(reference: unknown): Fields[] {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return [];
    const known = this.targets.get(reference);
    if (known !== undefined) return [known];
    this.targets.set(reference, NO_FIELDS);
    const target = reference.slice(2).split('/').reduce<unknown>(fieldAt, this.root);
    if (!isFields(target)) return [];
    const fields = this.read(target);
    this.targets.set(reference, fields);
    return [fields];
  }
}

const fieldAt = (schema: unknown, name: string): unknown =>
  isFields(schema) ? schema[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;

/** Alternatives may have one property with different schemas, such as a constant that tells them apart. */
function addVariants(properties: Fields['properties'], others: Fields['properties']): void {
  for (const [name, variants] of others) {
    const known = properties.get(name);
    if (known !== variants) properties.set(name, known === undefined ? variants : new Map([...known, ...variants]));
  }
}

const namesIn = (required: unknown): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];

const requiredByAll = ([first, ...others]: Fields[]): string[] =>
  first === undefined ? [] : [...first.required].filter((name) => others.every(({ required }) => required.has(name)));
