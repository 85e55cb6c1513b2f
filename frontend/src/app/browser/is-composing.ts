/** The key code of a key that an input method handles. */
const HANDLED_BY_INPUT_METHOD = 229;

/**
 * Whether a key press belongs to an input method, such as the Enter that confirms a candidate. Safari ends the composition
 * before that press, so there only the key code shows it.
 */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === HANDLED_BY_INPUT_METHOD;
}
