import type { FormatCallback } from 'html-to-text';

type Node = Parameters<FormatCallback>[0];

/** Fields whose value is shown. Passwords are dots, and buttons and hidden fields say nothing of the person who filled them in. */
const SHOWN = new Set([
  'text',
  'search',
  'tel',
  'url',
  'email',
  'number',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
]);
const TICKS = new Set(['checkbox', 'radio']);

const attributesOf = ({ attribs }: Node): Readonly<Record<string, string | undefined>> =>
  (attribs ?? {}) as Record<string, string>;

/** A field of a saved page with its value: `[x]`, `Ani`. Its name stands beside it. */
export const formatInput: FormatCallback = (element, _, builder) => {
  const { type = '', value = '', ...rest } = attributesOf(element);
  const kind = type.trim().toLowerCase() || 'text';
  if (TICKS.has(kind)) builder.addInline('checked' in rest ? ' [x] ' : ' [ ] ');
  else if (SHOWN.has(kind) && value.trim() !== '') builder.addInline(` ${value} `);
};

/** What is chosen of a list: the first one where nothing else is. */
export const formatSelect: FormatCallback = (element, walk, builder) => {
  const options = optionsOf(element);
  const chosen = options.filter((option) => 'selected' in attributesOf(option));
  const isList = 'multiple' in attributesOf(element);
  builder.addInline(' ');
  for (const option of chosen.length > 0 || isList ? chosen : options.slice(0, 1)) {
    walk(option.children, builder);
    builder.addInline(' ');
  }
};

const optionsOf = (node: Node): Node[] =>
  node.children.flatMap((child) =>
    child.name === 'option' ? [child] : child.name === 'optgroup' ? optionsOf(child) : [],
  );
