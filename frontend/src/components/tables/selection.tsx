import { Checkbox, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { createContext, type ReactNode, use, useState } from 'react';
import { NARROW } from '../../app/browser/media-queries';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../buttons/loading-button';
import { useFocusRecovery } from '../hooks/use-focus-recovery';
import { useMediaQuery } from '../hooks/use-media-query';

/** A row that can be chosen: the id of the table's row, and its name in words. */
export interface Choosable {
  id: string;
  name: string;
}

export interface Selection {
  /** Also rows of other pages and of earlier searches. */
  chosen: readonly Choosable[];
  has: (id: string) => boolean;
  set: (rows: readonly Choosable[], isChosen: boolean) => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choosable>>(new Map());
  return {
    chosen: [...chosen.values()],
    has: (id) => chosen.has(id),
    set: (rows, isChosen) =>
      setChosen((before) => {
        const after = new Map(before);
        for (const row of rows) {
          if (isChosen) after.set(row.id, row);
          else after.delete(row.id);
        }
        return after;
      }),
  };
}

/** Cells read it here: columns that change would take the focus from a box that is being ticked. */
export const SelectionContext = createContext<Selection | null>(null);

/** The head of the boxes that choose rows. Its words would take the width of a column for what the boxes show. */
export const TickHeader = () => <VisuallyHidden>{t('batch.choose')}</VisuallyHidden>;

/** The cell that chooses a row. @param isFixed shows a row that cannot be chosen, as ticked or not */
export function RowTick({ id, name, isFixed }: Choosable & { isFixed?: 'ticked' | 'open' }) {
  const { has, set } = use(SelectionContext)!;
  return (
    <Tick
      label={t('batch.chooseOne', { name })}
      checked={isFixed ? isFixed === 'ticked' : has(id)}
      disabled={isFixed !== undefined}
      onChange={() => set([{ id, name }], !has(id))}
    />
  );
}

/** Chooses all of some rows, or none of them once all are chosen. */
export function TickAll({ rows }: { rows: readonly Choosable[] }) {
  const { has, set } = use(SelectionContext)!;
  const areAllChosen = rows.length > 0 && rows.every(({ id }) => has(id));
  return (
    <Tick checked={areAllChosen} disabled={rows.length === 0} onChange={() => set(rows, !areAllChosen)}>
      {t('batch.chooseAll', { count: rows.length })}
    </Tick>
  );
}

interface SelectionBarProps {
  /** undefined until they are known. */
  rows: readonly Choosable[] | undefined;
  onChange: () => void;
}

/** Above a table: chooses its rows, and opens the change of the chosen ones. Shown once there is something to choose. */
export function SelectionBar({ rows, onChange }: SelectionBarProps) {
  const { chosen, set } = use(SelectionContext)!;
  const focusRef = useFocusRecovery();
  // On phones the buttons take a row of their own, which is that of a card.
  const isShort = useMediaQuery(NARROW) && chosen.length === 0;
  if (rows?.length === 0 && chosen.length === 0) return null;
  return (
    // It takes its room before the rows are known, so that the table does not move then.
    <Flex
      ref={focusRef}
      mb="3"
      columnGap="4"
      rowGap="2"
      align="center"
      wrap="wrap"
      visibility={rows ? undefined : 'hidden'}
    >
      <TickAll rows={rows ?? []} />
      <Text role="status" color="fg.muted">
        {t('batch.count', { count: chosen.length })}
      </Text>
      {/* Elsewhere they stay when nothing is chosen, since the focus returns here after a change. */}
      {!isShort && (
        <>
          <LoadingButton size="sm" variant="outline" disabled={chosen.length === 0} onClick={onChange}>
            {t('batch.change')}
          </LoadingButton>
          <LoadingButton size="sm" variant="ghost" disabled={chosen.length === 0} onClick={() => set(chosen, false)}>
            {t('batch.clear')}
          </LoadingButton>
        </>
      )}
    </Flex>
  );
}

interface TickProps {
  checked: boolean;
  disabled?: boolean;
  label?: string;
  onChange: () => void;
  children?: ReactNode;
}

export const Tick = ({ checked, disabled, label, onChange, children }: TickProps) => (
  <Checkbox.Root size="sm" colorPalette="jade" checked={checked} disabled={disabled} onCheckedChange={onChange}>
    <Checkbox.HiddenInput aria-label={label} />
    <Checkbox.Control />
    {children && <Checkbox.Label>{children}</Checkbox.Label>}
  </Checkbox.Root>
);
