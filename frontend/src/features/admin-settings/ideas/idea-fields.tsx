import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { SETTINGS, STARTERS } from '@tanya/contract';
import { ListRestart, Pencil, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useController, useFormContext } from 'react-hook-form';
import { t } from '../../../app/i18n/translate';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { IdeaRow } from './idea-row';
import { ruleOf } from '../setting-rule';
import { fromLines, type SettingsValues, toLines } from '../setting-values';

/** The installation's own conversation ideas; without any the built-in ones are in use. */
export function IdeaFields() {
  const recoverFocus = useFocusRecovery();
  // This element stays when the last row is removed.
  return (
    <div ref={recoverFocus}>
      <Ideas />
    </div>
  );
}

function Ideas() {
  const { control } = useFormContext<SettingsValues>();
  const { field, fieldState } = useController({ control, name: 'starters', rules: { validate: ruleOf('starters') } });
  const { rows, edit, insert, remove, move, clear } = useRows(fromLines(field.value), (ideas) =>
    field.onChange(toLines(ideas)),
  );
  const list = useRef<HTMLDivElement>(null);

  const focusRow = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll('input')[index]?.focus());
  const add = (index: number, ...ideas: string[]) => {
    const added = ideas.slice(0, SETTINGS.starters.max - rows.length);
    insert(index, added);
    focusRow(index + added.length - 1);
  };

  if (rows.length === 0) {
    return (
      <Stack gap="3">
        <Text color="fg.muted">{t('settingsPage.builtInIdeas', { count: STARTERS.length })}</Text>
        <Flex gap="2" wrap="wrap">
          <Button size="sm" variant="outline" onClick={() => add(0, ...STARTERS)}>
            <Pencil aria-hidden /> {t('settingsPage.editBuiltIn')}
          </Button>
          <Button size="sm" variant="outline" onClick={() => add(0, '')}>
            <Plus aria-hidden /> {t('settingsPage.startEmpty')}
          </Button>
        </Flex>
      </Stack>
    );
  }
  return (
    <>
      <Stack ref={list} as="ul" gap="2" listStyleType="none" aria-label={t('settingNames.starters')}>
        {rows.map(({ id, text }, index) => (
          <IdeaRow
            key={id}
            ref={index === 0 ? field.ref : undefined}
            number={index + 1}
            isLast={index === rows.length - 1}
            text={text}
            onChange={(idea) => edit(index, idea)}
            onMove={(by) => move(index, by)}
            onRemove={() => remove(index)}
            onEnter={() => add(index + 1, '')}
            onPasteLines={(lines) => add(index + 1, ...lines)}
          />
        ))}
      </Stack>
      {fieldState.error && (
        <Text role="alert" mt="2" textStyle="sm" color="fg.error">
          {fieldState.error.message}
        </Text>
      )}
      <Flex mt="3" gap="2" wrap="wrap">
        <Button
          size="sm"
          variant="outline"
          disabled={rows.length >= SETTINGS.starters.max}
          onClick={() => add(rows.length, '')}
        >
          <Plus aria-hidden /> {t('settingsPage.addIdea')}
        </Button>
        <Button size="sm" variant="ghost" onClick={clear}>
          <ListRestart aria-hidden /> {t('settingsPage.resetIdeas')}
        </Button>
      </Flex>
    </>
  );
}

interface Row {
  id: number;
  text: string;
}

let lastId = 0;
const newRow = (text: string): Row => ({ id: ++lastId, text });

/**
 * Rows of an edited list of texts, with ids that stay with their text. Without them a moved row would leave the focus at
 * its old place. A list that changes from outside, as after a save, gets new rows.
 */
function useRows(texts: string[], onChange: (texts: string[]) => void) {
  const [kept, setRows] = useState<Row[]>([]);
  const isSame = kept.length === texts.length && kept.every(({ text }, index) => text === texts[index]);
  const rows = isSame ? kept : texts.map(newRow);
  if (!isSame) setRows(rows);

  const change = (next: Row[]) => {
    setRows(next);
    onChange(next.map(({ text }) => text));
  };
  return {
    rows,
    edit: (index: number, text: string) => change(rows.with(index, { ...rows[index]!, text })),
    insert: (index: number, added: readonly string[]) => change(rows.toSpliced(index, 0, ...added.map(newRow))),
    remove: (index: number) => change(rows.toSpliced(index, 1)),
    /** Moves a row up (-1) or down (1). */
    move: (index: number, by: -1 | 1) => change(rows.toSpliced(index, 1).toSpliced(index + by, 0, rows[index]!)),
    clear: () => change([]),
  };
}
