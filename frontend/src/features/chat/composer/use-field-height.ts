import { type RefObject, useLayoutEffect } from 'react';

/**
 * Fits the height of the field to its text where the browser has no `field-sizing`; its style has the maximum.
 * @param text null: the style has the height
 */
export function useFieldHeight(field: RefObject<HTMLTextAreaElement | null>, text: string | null): void {
  useLayoutEffect(() => {
    if (field.current === null || CSS.supports('field-sizing', 'content')) return;
    const { style } = field.current;
    // Without a height first: the field would never shrink.
    style.height = '';
    if (text !== null) style.height = `${field.current.scrollHeight}px`;
  }, [field, text]);
}
