import { Text } from '@chakra-ui/react';
import { MESSAGE_TEXT_MAX } from '@tanya/contract';
import type { ChangeEvent, ClipboardEvent } from 'react';
import { formatNumber } from '../../../app/i18n/formats';
import { t } from '../../../app/i18n/translate';
import { notify } from '../../../components/feedback/notify';

const SHOW_LENGTH_ABOVE = MESSAGE_TEXT_MAX * 0.9;
/** The field refuses longer texts: it leaves room to shorten a text, and larger ones slow the page down. */
export const FIELD_MAX = MESSAGE_TEXT_MAX * 4;

/** A longer paste is attached: it would hide the rest of the message. */
const LONG_PASTE = 4_000;

export function isTooLong(text: string): boolean {
  return text.length > MESSAGE_TEXT_MAX;
}

/**
 * Props of a message field that limit the length.
 * @param lengthId id of the `TextLength` beside the field
 * @param onLongPaste takes a long pasted text in place of the field
 */
export function boundedText(
  text: string,
  setText: (text: string) => void,
  lengthId: string,
  onLongPaste?: (pasted: string) => void,
) {
  return {
    value: text,
    // `auto` reads the whole text at every key, so the direction of a long text is fixed. It knows none of an empty one,
    // whose placeholder is in the language of the page.
    dir: isTooLong(text) ? directionOf(text) : text === '' ? undefined : 'auto',
    'aria-invalid': isTooLong(text) || undefined,
    'aria-describedby': lengthId,
    onChange: ({ target: { value } }: ChangeEvent<HTMLTextAreaElement>) => {
      // Covers text that does not come from a paste, such as a drop.
      if (!isRefused(value.length, text.length)) setText(value);
    },
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => {
      // Handled before the insertion: a later removal would lose the caret and the undo history.
      const { selectionStart, selectionEnd } = event.currentTarget;
      const pasted = event.clipboardData.getData('text');
      const length = text.length - (selectionEnd - selectionStart) + pasted.length;
      const isLong = pasted.length > LONG_PASTE || length > MESSAGE_TEXT_MAX;
      const isAttached = onLongPaste !== undefined && isLong;
      if (isAttached) onLongPaste(pasted);
      if (isAttached || isRefused(length, text.length)) event.preventDefault();
    },
  };
}

/** Shows the length of a text near or over the limit. */
export function TextLength({ id, text }: { id: string; text: string }) {
  return (
    <Text id={id} textStyle="xs" color={isTooLong(text) ? 'fg.error' : 'fg.muted'} truncate={{ base: false, md: true }}>
      {text.length > SHOW_LENGTH_ABOVE && lengthText(text.length)}
    </Text>
  );
}

function lengthText(length: number): string {
  const figures = { length: formatNumber(length), max: formatNumber(MESSAGE_TEXT_MAX) };
  return length > MESSAGE_TEXT_MAX ? t('composer.lengthTooLong', figures) : t('composer.length', figures);
}

/** Refuses a text over `FIELD_MAX` with a notice. A text that is too long already can be shortened. */
function isRefused(length: number, lengthBefore: number): boolean {
  if (length <= FIELD_MAX || length <= lengthBefore) return false;
  notify({ title: t('composer.tooLong'), description: lengthText(length), kind: 'error' });
  return true;
}

/** The direction of the first letter, as with `auto`, searched in the first 1,000 characters. */
function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = /\p{L}/u.exec(text.slice(0, 1000)) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter) ? 'rtl' : 'ltr';
}
