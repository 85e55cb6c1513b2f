import { Box, Button, Flex } from '@chakra-ui/react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { isComposing } from '../../../app/browser/is-composing';
import { boundedText, isTooLong, TextLength } from '../shared/bounded-text';
import { handleEnter } from '../shared/handle-enter';
import { PlainTextarea } from '../shared/plain-fields';

interface EditMessageProps {
  /** The text that the editing begins with, such as that of a refused edit. */
  text: string;
  stored: string;
  isIdle: boolean;
  /** Whether the message has files, with which it may be without a text. */
  hasFiles: boolean;
  onEdit: (text: string) => void;
  onSave: (text: string) => void;
  onCancel: () => void;
}

export function EditMessage({ text, stored, isIdle, hasFiles, onEdit, onSave, onCancel }: EditMessageProps) {
  const [value, setValue] = useState(text);
  const change = (changed: string) => {
    setValue(changed);
    onEdit(changed);
  };
  const canSave = isIdle && (hasFiles || value.trim() !== '') && !isTooLong(value);
  const lengthId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    // A browser focuses a field with the caret before the first character, and does not scroll to where it is set.
    const { value: shown, scrollHeight } = field.current!;
    field.current!.setSelectionRange(shown.length, shown.length);
    field.current!.scrollTop = scrollHeight;
  }, []);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape' && !isComposing(event.nativeEvent)) {
      event.stopPropagation();
      onCancel();
    }
    handleEnter(event, change, () => canSave && onSave(value));
  };
  return (
    <Flex direction="column" gap="2" width="100%" data-saved={value === stored}>
      <PlainTextarea
        ref={field}
        autoFocus
        {...boundedText(value, change, lengthId)}
        aria-label={t('message.edit')}
        onKeyDown={press}
        // The height in browsers without `field-sizing`.
        rows={Math.min(12, Math.max(3, value.split('\n').length))}
        // Fixed for a long text, because field sizing measures all of it at every key.
        fieldSizing={isTooLong(value) ? 'fixed' : 'content'}
        minHeight="5.5rem"
        maxHeight="40dvh"
        borderRadius="l3"
        textStyle="message"
      />
      <Flex gap="2" align="center" justify="flex-end">
        <Box flex="1" minW="0">
          <TextLength id={lengthId} text={value} />
        </Box>
        <Button size="sm" variant="outline" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button size="sm" colorPalette="jade" disabled={!canSave} onClick={() => onSave(value)}>
          {t('message.send')}
        </Button>
      </Flex>
    </Flex>
  );
}
