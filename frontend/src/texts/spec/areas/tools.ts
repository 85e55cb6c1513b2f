import { BUILT_IN_TOOL_TEXTS, type BuiltInTool } from '@tanya/contract';

type Titles = { [T in BuiltInTool]: (typeof BUILT_IN_TOOL_TEXTS)[T]['title'] };
type Hints = { [T in BuiltInTool as `${T}_hint`]: (typeof BUILT_IN_TOOL_TEXTS)[T]['hint'] };

const entries = Object.entries(BUILT_IN_TOOL_TEXTS);
const titles = entries.map(([name, { title }]) => [name, title]);
const hints = entries.map(([name, { hint }]) => [`${name}_hint`, hint]);

export default {
  tools: {
    label: 'Tools',
    heading: 'The assistant may use',
    labelOn: '{count, plural, one {# tool is on} other {# tools are on}}',
    search: 'Search',
    asks: 'Asks first',
    builtIn: 'Built-in tools',
    all: 'All {count} tools',
    tooMany: 'At most {max} tools can be on. Switch some off first.',
    notSaved: 'The choice of tools was not saved',
    ...(Object.fromEntries(titles) as Titles),
    ...(Object.fromEntries(hints) as Hints),
  },
} as const;
