/** Fields with a value of letters, digits or a day. */
const VALUES = new Set(['text', 'textarea', 'formatted-text', 'number', 'date', 'time', 'combobox', 'value-range']);
const TICKS = new Set(['checkbox', 'radio']);

/** Whether an attribute says that a tick or an option is chosen. */
const isChosen = (value: string | undefined): boolean => value === 'true' || value === 'checked';

/**
 * A field of a form in OpenDocument with its value: `Name: Ani`, `[x] Yes`. What is chosen of a list has no name.
 * @returns '' for another element, and for a field without a value
 */
export function fieldLine(element: string, attributes: Readonly<Record<string, string | undefined>>): string {
  const { name = '', label = '' } = attributes;
  if (TICKS.has(element)) {
    const state = attributes['current-state'] ?? attributes['current-selected'] ?? attributes['state'];
    return label || name ? `${isChosen(state ?? attributes['selected']) ? '[x]' : '[ ]'} ${label || name}` : '';
  }
  if (element === 'option') return isChosen(attributes['current-selected'] ?? attributes['selected']) ? label : '';
  const value = VALUES.has(element) ? (attributes['current-value'] ?? attributes['value'] ?? '') : '';
  if (value.trim() === '') return '';
  return name === '' ? value : `${name}: ${value}`;
}
