type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords that combine whole schemas. Providers refuse them at the top of parameters. */
const COMBINERS = ['anyOf', 'oneOf', 'allOf'] as const;

/**
 * The parameters of a tool as providers take them: an object with `properties`, and no alternatives at its top. The schema
 * that the admin reviewed stays as it is; the server checks the arguments itself.
 */
export function modelSchema(listed: Schema): Schema {
  const { type: _, properties, required, ...rest } = merged(listed);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return {
    type: 'object',
    properties: isSchema(properties) ? properties : {},
    ...(names.length > 0 && { required: names }),
    ...rest,
  };
}

/** A schema whose alternatives are one object: with the properties of all, of which those are required that all require. */
function merged(listed: Schema): Schema {
  const { anyOf, oneOf, allOf, ...own } = listed;
  const alternatives = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? [each.filter(isSchema)] : []));
  const together = Array.isArray(allOf) ? allOf.filter(isSchema) : [];
  const all = [own, ...together, ...alternatives.flat()];
  if (all.length === 1 && COMBINERS.every((name) => !(name in listed))) return listed;
  const required = [own, ...together].flatMap(requiredOf);
  for (const group of alternatives) required.push(...requiredByAll(group));
  // A closed alternative would refuse the properties of the others.
  const { additionalProperties: __, ...open } = own;
  return {
    ...open,
    properties: Object.assign({}, ...all.map(({ properties }) => (isSchema(properties) ? properties : {}))) as Schema,
    required: [...new Set(required)],
  };
}

const requiredOf = ({ required }: Schema): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];

const requiredByAll = ([first, ...others]: Schema[]): string[] =>
  first === undefined
    ? []
    : requiredOf(first).filter((name) => others.every((other) => requiredOf(other).includes(name)));
