import { readLenient } from './lenient-part.js';
import type { OfficePackage } from '../package.js';
import type { XmlHandler } from '../../xml.js';

/** Elements of each part that are read: those of 100,000 pictures, of which each has some six. */
const MAX_ELEMENTS = 1_000_000;

/** Errors that came after Excel 2016, by their number ([MS-XLSX] 2.3.6.1.3). */
const ERRORS = new Map([
  ['8', '#SPILL!'],
  ['9', '#CONNECT!'],
  ['10', '#BLOCKED!'],
  ['11', '#UNKNOWN!'],
  ['12', '#FIELD!'],
  ['13', '#CALC!'],
]);

/** The key of a value, such as a share, that says which other one it is. */
const REFERENCE = '%cvi';

interface RichValue {
  structure: number;
  values: string[];
  /** What programs show that do not know the structure. */
  otherwise: string;
}

interface Structure {
  type: string;
  /** The place of each key among the values. */
  keys: Map<string, number>;
}

/**
 * What cells show that are more than a number or a text: pictures in a cell, companies and countries, and newer errors.
 * Earlier programs read an error in them. By their number in a cell, from 0; undefined for values of other kinds.
 */
export function richValues(office: OfficePackage, main: string): (string | undefined)[] {
  const part = (type: string) => office.bytes(office.targets(main, type)[0] ?? '');
  const metadata = part('sheetMetadata');
  const values = part('rdRichValue');
  const structures = part('rdRichValueStructure');
  if (metadata === undefined || values === undefined || structures === undefined) return [];
  const known = structuresIn(structures);
  const all = valuesIn(values);
  const shown = all.map((value) => {
    const reference = valueOf(value, known[value.structure], REFERENCE);
    const own = (reference !== '' && all[Number(reference)]) || value;
    return shownValue(own, known[own.structure]);
  });
  return numbersIn(metadata).map((number) => shown[number]);
}

const valueOf = ({ values }: RichValue, structure: Structure | undefined, key: string): string =>
  values[structure?.keys.get(key) ?? -1] ?? '';

function shownValue(value: RichValue, structure: Structure | undefined): string | undefined {
  if (structure === undefined) return undefined;
  if (structure.type === '_error') return ERRORS.get(valueOf(value, structure, 'errorType'));
  const text = valueOf(value, structure, 'Text');
  if (/image$/i.test(structure.type)) return text === '' ? '[picture]' : `[picture: ${text}]`;
  return valueOf(value, structure, '_DisplayString') || text || value.otherwise || undefined;
}

/** Reads a part up to its bound, or to its first error. */
function readList(part: Uint8Array, handler: XmlHandler): void {
  let elements = 0;
  readLenient(part, {
    ...handler,
    open(element) {
      elements += 1;
      handler.open?.(element);
    },
    isDone: () => elements > MAX_ELEMENTS,
  });
}

function structuresIn(part: Uint8Array): Structure[] {
  const structures: Structure[] = [];
  let place = 0;
  readList(part, {
    open({ name, attributes }) {
      if (name === 's') {
        structures.push({ type: attributes.t ?? '', keys: new Map() });
        place = 0;
      } else if (name === 'k') structures.at(-1)?.keys.set(attributes.n ?? '', place++);
    },
  });
  return structures;
}

function valuesIn(part: Uint8Array): RichValue[] {
  const values: RichValue[] = [];
  let text = '';
  readList(part, {
    open({ name, attributes }) {
      if (name === 'rv') values.push({ structure: Number(attributes.s), values: [], otherwise: '' });
      text = '';
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      const value = values.at(-1);
      if (name === 'v') value?.values.push(text);
      else if (name === 'fb' && value !== undefined) value.otherwise = text;
    },
  });
  return values;
}

/** The numbers of values, in the order in which cells count them. */
function numbersIn(part: Uint8Array): number[] {
  const types: string[] = [];
  const lists = new Map<string, number[]>();
  const numbers: number[] = [];
  let list: number[] = [];
  let isOfCells = false;
  readList(part, {
    open({ name, attributes }) {
      if (name === 'metadataType') types.push(attributes.name ?? '');
      else if (name === 'futureMetadata') lists.set(attributes.name ?? '', (list = []));
      else if (name === 'rvb') list.push(Number(attributes.i));
      else if (name === 'valueMetadata') isOfCells = true;
      else if (name === 'rc' && isOfCells)
        numbers.push(lists.get(types[Number(attributes.t) - 1] ?? '')?.[Number(attributes.v)] ?? -1);
    },
    close(name) {
      if (name === 'valueMetadata') isOfCells = false;
    },
  });
  return numbers;
}
