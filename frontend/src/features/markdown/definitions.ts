/** The link definitions that a part of a text refers to and does not contain itself, one per line. */
export function neededDefinitions(source: string, definitions: string): string {
  if (definitions === '' || !source.includes('[')) return '';
  const lowerCase = source.toLowerCase();
  return definitions
    .split('\n')
    .filter((definition) => {
      const label = definition.slice(definition.indexOf('['), definition.indexOf(']:') + 1).toLowerCase();
      return lowerCase.includes(label) && !source.includes(definition);
    })
    .join('\n');
}
