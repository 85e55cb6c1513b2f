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
