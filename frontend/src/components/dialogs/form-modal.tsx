import { Button, Flex, Stack } from '@chakra-ui/react';
import { type ComponentProps, type FormEvent, type ReactNode, useId } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../buttons/loading-button';
import { Modal } from './modal';

interface FormModalProps extends Omit<ComponentProps<typeof Modal>, 'footer'> {
  onSubmit: (event: FormEvent) => unknown;
  /** The text of the button that submits the form. */
  action: string;
  pending: boolean;
  pendingText?: string;
  disabled?: boolean;
  /** Whether the values are those that the form began with. Without it, an input makes the dialog ask before it closes. */
  isSaved?: boolean;
  cancel?: string;
  /** Buttons before Cancel. */
  otherActions?: ReactNode;
  /** What is shown instead of the form once it is saved, with a button that closes the dialog. */
  result?: ReactNode;
}

/** A dialog with one form, and below it Cancel and the button that submits it. */
export function FormModal(props: FormModalProps) {
  const {
    onSubmit,
    action,
    pending,
    pendingText,
    disabled,
    isSaved,
    cancel,
    otherActions,
    result,
    children,
    ...modal
  } = props;
  const id = useId();
  const buttons = (
    <Flex gap="3" wrap="wrap" justify="flex-end" flex="1">
      {otherActions}
      <LoadingButton variant="outline" disabled={modal.isLocked} onClick={modal.onClose}>
        {cancel ?? t('common.cancel')}
      </LoadingButton>
      <LoadingButton
        type="submit"
        form={id}
        colorPalette="jade"
        disabled={disabled}
        loading={pending}
        loadingText={pendingText}
      >
        {action}
      </LoadingButton>
    </Flex>
  );
  if (result)
    return (
      <Modal
        size="md"
        {...modal}
        footer={
          <Button colorPalette="jade" onClick={modal.onClose}>
            {t('common.done')}
          </Button>
        }
      >
        {result}
      </Modal>
    );
  return (
    <Modal size="md" {...modal} footer={buttons}>
      <form
        id={id}
        noValidate
        autoComplete="off"
        data-saved={isSaved}
        onSubmit={(event) => {
          event.preventDefault();
          // React passes events of a dialog on to the form around its opener.
          event.stopPropagation();
          void onSubmit(event);
        }}
      >
        <Stack gap="4">{children}</Stack>
      </form>
    </Modal>
  );
}
