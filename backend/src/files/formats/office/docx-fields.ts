import { drawnByField } from './equations/eq-field.js';
import type { OpenLinks } from '../text/links.js';
import { isOn } from '../xml.js';

const PROPERTIES = new Set(['checkBox', 'checked', 'default', 'result', 'listEntry']);

/** A form field of earlier Word versions that has no text: a checkbox or a list. */
export class FormField {
  private readonly values = new Map<string, string[]>();

  /** Adds a property; other elements of the field are ignored. */
  add(name: string, value = '1'): void {
    if (!PROPERTIES.has(name)) return;
    const values = this.values.get(name) ?? [];
    values.push(value);
    this.values.set(name, values);
  }

  /** The chosen entry of a list, or a box; '' for a field whose value stands in the text. */
  get text(): string {
    const entries = this.of('listEntry');
    const [given] = this.of('default');
    if (entries.length > 0) return entries[Number(this.of('result')[0] ?? given ?? 0)] ?? '';
    if (this.of('checkBox').length === 0) return '';
    return isOn(this.of('checked')[0] ?? given ?? '0') ? '[x]' : '[ ]';
  }

  private of(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }
}

interface Field {
  instruction: string;
  isResult: boolean;
  isLink: boolean;
}

/** Fields that are open, the outer ones first, each with its instruction until its result begins. */
export class OpenFields {
  private readonly fields: Field[] = [];
  /** The number of those without a result so far. */
  private instructions = 0;

  /** @param links gets those that fields are */
  constructor(private readonly links: OpenLinks) {}

  /** Whether a text is the result of a field inside of the instruction of another one, as conditions of letters have. */
  get isCondition(): boolean {
    return this.instructions > 0 && this.fields.at(-1)?.isResult === true;
  }

  /** A field begins, its result begins, or it ends. @returns what its instruction alone draws, or what stands behind a link */
  mark(type: string | undefined): string {
    if (type === 'begin') {
      this.fields.push({ instruction: '', isResult: false, isLink: false });
      this.instructions += 1;
    } else if (type === 'separate') this.endInstruction();
    else if (type === 'end') {
      const drawn = drawnByField(this.endInstruction()?.instruction ?? '');
      return drawn + (this.fields.pop()?.isLink ? this.links.end() : '');
    }
    return '';
  }

  addInstruction(text: string): void {
    const last = this.fields.at(-1);
    if (last?.isResult === false) last.instruction += text;
  }

  /** Fields without an end do not take what follows their paragraph. */
  endParagraph(): void {
    if (!this.isCondition) return;
    for (const field of this.fields) field.isResult = true;
    this.instructions = 0;
  }

  /** The result of the last field begins. @returns the field; undefined for one that had begun already */
  private endInstruction(): { instruction: string } | undefined {
    const last = this.fields.at(-1);
    if (last === undefined || last.isResult) return undefined;
    last.isResult = true;
    last.isLink = this.links.startField(last.instruction);
    this.instructions -= 1;
    return last;
  }
}
