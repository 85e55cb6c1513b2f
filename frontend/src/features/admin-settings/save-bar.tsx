import { Box, Button, Flex, IconButton } from '@chakra-ui/react';
import type { AuditEntry } from '@tanya/contract';
import { ChevronUp, CircleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { TextButton } from '../../components/buttons/text-button';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';
import { ChangedValues } from '../../components/tables/changed-values';

interface SaveBarProps {
  /** The form that Save submits; the bar stands outside of it. */
  formId: string;
  changes: number;
  /** Number of changed fields whose stored value was changed elsewhere meanwhile. */
  overtaken: number;
  /** What they will do; asked for when it is shown. */
  preview: () => Pick<AuditEntry, 'before' | 'after'>;
  /** Number of fields that cannot be saved. */
  errors: number;
  /** Why the last attempt to save failed, for a cause that is not a field. */
  failure: string | null;
  isSaving: boolean;
  onDiscard: () => void;
  onShowError: () => void;
}

/** Stays at the bottom of the page with the state of the form and its buttons. */
export function SaveBar(props: SaveBarProps) {
  const { formId, changes, overtaken, preview, errors, failure, isSaving, onDiscard } = props;
  const recoverFocus = useFocusRecovery();
  const [isWanted, setWanted] = useState(false);
  const list = useId();
  // An error takes the place of the button that closes the list.
  const isOpen = isWanted && changes > 0 && errors === 0 && !failure;
  return (
    <Box
      position="sticky"
      bottom={{ base: '-3', md: '-4' }}
      zIndex="docked"
      mt="6"
      px={{ base: '3', md: '4' }}
      py="2.5"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      shadow="float"
    >
      <Box
        id={list}
        hidden={!isOpen}
        maxH="40vh"
        overflowY="auto"
        mb="2.5"
        tabIndex={0}
        role="group"
        aria-labelledby={`${list}-name`}
      >
        {isOpen && <Preview preview={preview} describedBy={`${list}-name`} />}
      </Box>
      <Flex columnGap="3" rowGap="1" align="center" justify="flex-end" wrap="wrap">
        <Box role="status" minW="0" flex="1 1 8rem">
          <Status {...props} list={list} isOpen={isOpen} onToggle={() => setWanted(!isOpen)} />
          {overtaken > 0 && (
            <Line color="fg.error">
              <AlertIcon />
              <span>{t('settingsPage.overtaken', { count: overtaken })}</span>
            </Line>
          )}
        </Box>
        <Flex ref={recoverFocus} gap="2" flexShrink={0}>
          {changes > 0 && (
            <Button variant="ghost" size="sm" disabled={isSaving} onClick={onDiscard}>
              {t('unsaved.discard')}
            </Button>
          )}
          <LoadingButton
            type="submit"
            form={formId}
            size="sm"
            colorPalette="jade"
            loading={isSaving}
            loadingText={t('models.saving')}
          >
            {t('settings.save')}
          </LoadingButton>
        </Flex>
      </Flex>
    </Box>
  );
}

function Preview({ preview, describedBy }: Pick<SaveBarProps, 'preview'> & { describedBy: string }) {
  // The form itself is not rendered again while one of its changed fields is edited further.
  useWatch();
  return <ChangedValues {...preview()} describedBy={describedBy} />;
}

interface StatusProps extends SaveBarProps {
  /** The id of the list of what the changes will do. */
  list: string;
  isOpen: boolean;
  onToggle: () => void;
}

function Status({ changes, errors, failure, onShowError, list, isOpen, onToggle }: StatusProps) {
  if (errors > 0) {
    return (
      <Line color="fg.error">
        <AlertIcon />
        <TextButton color="inherit" flexShrink={1} whiteSpace="normal" textAlign="start" onClick={onShowError}>
          {t('settingsPage.errors', { count: errors })}
        </TextButton>
      </Line>
    );
  }
  if (failure) {
    return (
      <Line color="fg.error">
        <AlertIcon />
        <span>{t('settingsPage.notSaved', { reason: failure })}</span>
      </Line>
    );
  }
  if (changes === 0) return <Line color="fg.muted">{t('settingsPage.noChanges')}</Line>;
  return (
    <Line>
      <Box boxSize="2" borderRadius="full" bg="fg.warning" flexShrink={0} aria-hidden />
      <span id={`${list}-name`}>{t('settingsPage.changes', { count: changes })}</span>
      <IconButton
        variant="ghost"
        size="xs"
        // Not named by the text beside it: whoever looks for the button Save would find two.
        aria-label={t('settingsPage.showChanges')}
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={onToggle}
      >
        <ChevronUp aria-hidden style={{ transform: isOpen ? 'rotate(180deg)' : undefined }} />
      </IconButton>
    </Line>
  );
}

function Line({ color, children }: { color?: string; children: ReactNode }) {
  return (
    <Flex gap="2" align="center" color={color}>
      {children}
    </Flex>
  );
}

function AlertIcon() {
  return (
    <Box asChild flexShrink={0}>
      <CircleAlert size={16} aria-hidden />
    </Box>
  );
}
