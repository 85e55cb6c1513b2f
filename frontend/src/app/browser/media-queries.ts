/** Below Chakra's `md`. */
export const NARROW = '(max-width: 47.9975rem)';

/** Below Chakra's `lg`: too narrow for the sidebar beside a readable page. */
export const WITHOUT_SIDEBAR = '(max-width: 63.9975rem)';

/** A narrow screen, or one without a pointer that hovers: the layout and the history of phones. */
export const PHONE = `${NARROW}, (hover: none)`;

/** The main pointer hovers, as a mouse does: the focus of a field opens no keyboard on the screen. */
export const CAN_HOVER = '(hover: hover)';

/** Text is typed on a keyboard on the screen. */
export const TOUCH_ONLY = '(hover: none) and (pointer: coarse)';
