import { Box, Text } from '@chakra-ui/react';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { FormModal } from './form-modal';

/** What a change left as it was, and why. */
export interface BatchReport {
  /** How many entries it changed, in words; null for none. */
  changed: string | null;
  failed: { id: string; name: string; reason: string }[];
}

/** Names that the dialog spells out. */
const NAMES = 10;

interface BatchDialogProps {
  /** What the button does too: "Change 3 people". */
  title: string;
  names: readonly string[];
  /** Of the last change; null where it changed all. */
  report: BatchReport | null;
  isPending: boolean;
  /** Whether the form asks for no change. */
  isEmpty: boolean;
  onSubmit: FormEventHandler;
  onClose: () => void;
  /** The fields of the change. */
  children: ReactNode;
}

/** One change of many entries. It stays open with a report while some of them are not changed. */
export function BatchDialog(props: BatchDialogProps) {
  const { title, names, report, isPending, isEmpty, onSubmit, onClose, children } = props;
  return (
    <FormModal
      title={title}
      description={namesText(names)}
      action={title}
      pending={isPending}
      disabled={isEmpty}
      onSubmit={onSubmit}
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
