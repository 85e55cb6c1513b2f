import { TOOL_NAME } from '../tool.js';
import { slugOf, toolNameFor } from './tool-names.js';

const none = () => false;

describe('slugOf', () => {
  it.each([
    ['Docs', 'docs'],
    ['My Docs!', 'my-docs'],
    ['Café Überall', 'cafe-uberall'],
    ['  --  ', 'server'],
    ['21st Magic', 'server-21st-magic'],
    ['東京', 'server'],
    ['a'.repeat(80), 'a'.repeat(24)],
    [`${'a'.repeat(23)} b`, 'a'.repeat(23)],
  ])('makes of %j the slug %j', (name, slug) => expect(slugOf(name)).toBe(slug));
});

describe('toolNameFor', () => {
  it('joins slug and tool', () => {
    expect(toolNameFor('docs', 'lookup', '1:lookup', none)).toBe('docs_lookup');
  });

  it.each([
    ['a long name', 'docs', 'x'.repeat(100), none],
    ['a taken name', 'docs', 'lookup', (name: string) => name === 'docs_lookup'],
    ['the name of a built-in tool', 'web', 'search', none],
    ['a name with other characters', 'docs', 'look.up/ä', none],
  ])('appends a hash to %s', (_, slug, tool, isTaken) => {
    const name = toolNameFor(slug, tool, `1:${tool}`, isTaken);
    expect(name).toMatch(TOOL_NAME);
    expect(name).toMatch(/_[0-9a-f]{8}$/);
    expect(toolNameFor(slug, tool, `2:${tool}`, isTaken)).not.toBe(name);
  });
});
