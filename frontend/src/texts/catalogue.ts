import type admin from './spec/admin';
import type more from './spec/more';
import type start from './spec/start';
import type starters from './spec/starters';

/** The parts of a catalogue. `start` loads before the first render, the others with the code that uses them. */
interface Parts {
  start: typeof start;
  more: typeof more;
  admin: typeof admin;
  starters: typeof starters;
}

export type Part = keyof Parts;

/** A catalogue as it is written: texts in ICU MessageFormat, grouped by area. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** A part in another language: the keys of `spec`, each optional. `npm test` fails on missing ones. */
export type Translation<T> = { readonly [K in keyof T]?: T[K] extends string ? string : Translation<T[K]> };

type Path<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Path<T[K]>}` }[keyof T & string];

type At<T, K extends string> = K extends keyof T
  ? T[K]
  : K extends `${infer Area}.${infer Rest}`
    ? Area extends keyof T
      ? At<T[Area], Rest>
      : never
    : never;

/** The key of a text, as in `chat.thinking`. */
export type TextKey = { [P in Part]: Path<Parts[P]> }[Part];

type TextOf<K extends string> = { [P in Part]: At<Parts[P], K> }[Part];

/** The names of a text's placeholders. Words in the branches of a plural are recognised by their blanks. */
type Placeholder<T> = T extends `${string}{${infer Inside}}${infer Rest}` ? NameOf<Inside> | Placeholder<Rest> : never;
type NameOf<T extends string> = T extends `${infer Name}, ${string}`
  ? Name
  : T extends `${string} ${string}` | `#${string}`
    ? never
    : T;

/** The values that `t` takes after a key: none, or one for each placeholder. */
export type ValuesOf<K extends TextKey> = [Placeholder<TextOf<K>>] extends [never]
  ? []
  : [values: Record<Placeholder<TextOf<K>>, string | number>];

/** The keys of texts without placeholders. */
export type PlainTextKey = { [K in TextKey]: ValuesOf<K> extends [] ? K : never }[TextKey];
