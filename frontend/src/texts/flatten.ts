import type { Messages } from '@lingui/core';
import type { Texts } from './catalogue';

/** Joins areas and names to keys, as in `chat.thinking`. The build has done so already; its messages are arrays. */
export function flatten(texts: Texts | Messages, path = ''): Messages {
  return Object.entries(texts).reduce<Messages>((flat, [name, text]) => {
    const key = path + name;
    if (typeof text === 'string' || Array.isArray(text)) return Object.assign(flat, { [key]: text });
    return Object.assign(flat, flatten(text as Texts, `${key}.`));
  }, {});
}
