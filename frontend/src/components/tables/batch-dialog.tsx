import { Box, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { FormModal } from '../dialogs/form-modal';
import type { Selection } from './selection';

/** What a change left as it was, and why. */
export interface BatchReport {
  /** How many entries it changed, in words; null for none. */
  changed: string | null;
  failed: { id: string; name: string; reason: string }[];
}

/** Names that the dialog spells out. */
const NAMES = 10;

interface BatchDialogProps<Values extends FieldValues, Changes> {
  /** What the button does too: "Change 3 people". */
  title: (count: number) => string;
  selection: Selection;
  form: UseFormReturn<Values>;
  /** Its report is that of the last change; null where it changed all. */
  change: { report: BatchReport | null; isPending: boolean; mutate: (changes: Changes) => void };
  /** Whether the form asks for no change. */
  isEmpty: boolean;
  toChanges: (values: Values) => Changes;
  onClose: () => void;
  /** The fields of the change. */
  children: ReactNode;
}

/** One change of many entries. It stays open with a report while some of them are not changed. */
export function BatchDialog<Values extends FieldValues, Changes>(props: BatchDialogProps<Values, Changes>) {
  const { selection, form, change, isEmpty, toChanges, onClose, children } = props;
  const { chosen } = selection;
  // Its words stay while the dialog closes.
  const [opened] = useState(chosen);
  const shown = chosen.length > 0 ? chosen : opened;
  const title = props.title(shown.length);
  const { report } = change;
  return (
    <FormModal
      title={title}
      description={namesText(shown.map(({ name }) => name))}
      action={title}
      pending={change.isPending}
      disabled={isEmpty}
      onSubmit={form.handleSubmit((values) => isEmpty || change.mutate(toChanges(values)))}
      onClose={onClose}
    >
      {report && (
        <Box role="alert" color="fg.error">
          {report.changed && <Text color="fg">{report.changed}</Text>}
          <Text>{t('batch.failed', { count: report.failed.length })}</Text>
          <Box as="ul" ps="5" maxH="12rem" overflowY="auto" overflowWrap="anywhere">
            {report.failed.map(({ id, name, reason }) => (
              <li key={id}>
                {name}: {reason}
              </li>
            ))}
          </Box>
        </Box>
      )}
      {children}
    </FormModal>
  );
}

function namesText(names: readonly string[]): string {
  const more = names.length - NAMES;
  const shown = names.slice(0, NAMES).join(', ');
  return more > 0 ? `${shown} ${t('batch.more', { count: more })}` : shown;
}
