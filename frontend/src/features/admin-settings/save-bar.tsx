import { Box, Button, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { TextButton } from '../../components/buttons/text-button';
import { useFocusRecovery } from '../../components/hooks/use-focus-recovery';

interface SaveBarProps {
  /** The form that Save submits; the bar stands outside of it. */
  formId: string;
  changes: number;
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
  const { formId, changes, isSaving, onDiscard } = props;
  const recoverFocus = useFocusRecovery();
  return (
    <Flex
      position="sticky"
      bottom={{ base: '-3', md: '-4' }}
      zIndex="docked"
      mt="6"
      gap="3"
      px={{ base: '3', md: '4' }}
      py="2.5"
      align="center"
      justify="space-between"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="l3"
      shadow="float"
    >
      <Box role="status" minW="0" flex="1">
        <Status {...props} />
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
  );
}

function Status({ changes, errors, failure, onShowError }: SaveBarProps) {
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
      {t('settingsPage.changes', { count: changes })}
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
