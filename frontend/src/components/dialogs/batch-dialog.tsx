import { Box, Button, Stack, Text } from '@chakra-ui/react';
import type { FormEventHandler, ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../buttons/loading-button';
import { Modal } from './modal';

/** An entry of a batch that was not changed, and why. */
export interface FailedEntry {
  id: string;
  name: string;
  reason: string;
}

/** Names that the dialog spells out. */
const NAMES = 10;

interface BatchDialogProps {
  /** What the button does too: "Change 3 people". */
  title: string;
  names: readonly string[];
  /** The entries that the last change left as they were. */
  failed: readonly FailedEntry[];
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
  const { title, names, failed, isPending, isEmpty, onSubmit, onClose, children } = props;
  return (
    <Modal
      title={title}
      description={namesText(names)}
      size="md"
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <LoadingButton type="submit" form="batch" colorPalette="jade" disabled={isEmpty} loading={isPending}>
            {title}
          </LoadingButton>
        </>
      }
    >
      <form id="batch" noValidate data-saved={failed.length > 0} onSubmit={onSubmit}>
        <Stack gap="4">
          {failed.length > 0 && (
            <Box role="alert" color="fg.error">
              <Text>{t('batch.failed', { count: failed.length })}</Text>
              <Box as="ul" ps="5" maxH="12rem" overflowY="auto" overflowWrap="anywhere">
                {failed.map(({ id, name, reason }) => (
                  <li key={id}>
                    {name}: {reason}
                  </li>
                ))}
              </Box>
            </Box>
          )}
          {children}
        </Stack>
      </form>
    </Modal>
  );
}

function namesText(names: readonly string[]): string {
  const more = names.length - NAMES;
  const shown = names.slice(0, NAMES).join(', ');
  return more > 0 ? `${shown} ${t('batch.more', { count: more })}` : shown;
}
