import { Flex, IconButton, Input } from '@chakra-ui/react';
import { SETTINGS } from '@tanya/contract';
import { ArrowDown, ArrowUp, X } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent, Ref } from 'react';
import { isComposing } from '../../../app/browser/is-composing';
import { t } from '../../../app/i18n/translate';

interface IdeaRowProps {
  number: number;
  isLast: boolean;
  text: string;
  ref?: Ref<HTMLInputElement>;
  onChange: (text: string) => void;
  /** Moves the row up (-1) or down (1). */
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
  onEnter: () => void;
  onPasteLines: (lines: string[]) => void;
}

export function IdeaRow(props: IdeaRowProps) {
  const { number, isLast, text, ref, onChange, onMove, onRemove, onEnter, onPasteLines } = props;
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
    // Not a submit of the form.
    event.preventDefault();
    onEnter();
  };
  const paste = (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim().slice(0, SETTINGS.starters.each.max))
      .filter(Boolean);
    if (lines.length < 2) return;
    event.preventDefault();
    onPasteLines(lines);
  };
  return (
    <Flex as="li" gap="1" align="center" justify="end" wrap={{ base: 'wrap', sm: 'nowrap' }}>
      <Input
        ref={ref}
        size="sm"
        // On phones the buttons have a line of their own.
        flex={{ base: '1 0 100%', sm: '1' }}
        minW="0"
        aria-label={t('settingsPage.idea', { number })}
        placeholder={t('settingsPage.ideaPlaceholder')}
        maxLength={SETTINGS.starters.each.max}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={keyDown}
        onPaste={paste}
      />
      <IconButton
        size="xs"
        variant="ghost"
        aria-label={t('settingsPage.ideaUp', { number })}
        aria-disabled={number === 1}
        onClick={() => number > 1 && onMove(-1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        size="xs"
        variant="ghost"
        aria-label={t('settingsPage.ideaDown', { number })}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(1)}
      >
        <ArrowDown />
      </IconButton>
      <IconButton size="xs" variant="ghost" aria-label={t('settingsPage.ideaRemove', { number })} onClick={onRemove}>
        <X />
      </IconButton>
    </Flex>
  );
}
