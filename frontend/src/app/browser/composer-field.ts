import { CAN_HOVER } from './media-queries';

export const COMPOSER_FIELD = { 'data-composer': '' } as const;

/** The message field, if the page may focus it unasked; null on touch devices, where the focus opens the keyboard. */
export function focusableComposer(): HTMLElement | null {
  return window.matchMedia(CAN_HOVER).matches ? document.querySelector<HTMLElement>('[data-composer]') : null;
}
