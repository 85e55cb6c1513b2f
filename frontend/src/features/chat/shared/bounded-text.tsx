import { Text } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';
import type { ChangeEvent, ClipboardEvent } from 'react';
import { notify } from '../../../components/feedback/notify';

/** From here on the length is shown. */
const NEAR_LIMIT = LIMITS.messageText * 0.9;
/** More than this isn't taken in: there is room to shorten a text here, and the page stays quick. */
const MOST_HELD = LIMITS.messageText * 4;

export function isTooLong(text: string): boolean {
  return text.length > LIMITS.messageText;
}

/** What a field for a message's text does about its length; a `TextLength` with this id goes beside it. */
export function boundedText(text: string, setText: (text: string) => void, lengthId: string) {
  return {
    value: text,
    // Measured over the whole text at every key, so a text that is seen in part only has it fixed.
    dir: isTooLong(text) ? directionOf(text) : 'auto',
    'aria-invalid': isTooLong(text) || undefined,
    'aria-describedby': lengthId,
    onChange: ({ target: { value } }: ChangeEvent<HTMLTextAreaElement>) => {
      // A text can be dropped, too.
      if (!isRefused(value.length, text.length)) setText(value);
    },
    onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => {
      // Before the browser puts it in: taken out again, it would take the caret and the undo with it.
      const { selectionStart, selectionEnd } = event.currentTarget;
      const length = text.length - (selectionEnd - selectionStart) + event.clipboardData.getData('text').length;
      if (isRefused(length, text.length)) event.preventDefault();
    },
  };
}

/** Says how long the text is when that begins to matter. */
export function TextLength({ id, text }: { id: string; text: string }) {
  return (
    <Text id={id} textStyle="xs" color={isTooLong(text) ? 'fg.error' : 'fg.muted'} truncate>
      {text.length > NEAR_LIMIT && lengthText(text.length)}
    </Text>
  );
}

function lengthText(length: number): string {
  const figures = `${length.toLocaleString()} of ${LIMITS.messageText.toLocaleString()} characters`;
  return length > LIMITS.messageText ? `${figures}. Shorten the text to send it.` : figures;
}

/** Refuses a change of the text's length, and says so. A text that is too long already can be shortened. */
function isRefused(length: number, lengthBefore: number): boolean {
  if (length <= MOST_HELD || length <= lengthBefore) return false;
  notify({ title: 'The text is too long', description: lengthText(length), kind: 'error' });
  return true;
}

/** As `auto` judges it: by the first letter, looked for in the beginning alone. */
function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = /\p{L}/u.exec(text.slice(0, 1000)) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter) ? 'rtl' : 'ltr';
}
