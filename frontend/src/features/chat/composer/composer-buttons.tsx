import { IconButton } from '@chakra-ui/react';
import { DOCUMENT_EXTENSIONS, IMAGE_TYPES } from '@tanya/contract';
import { ArrowUp, Paperclip, Square } from 'lucide-react';
import { useRef } from 'react';
import { ActionButton } from '../../../components/buttons/action-button';
import { t } from '../../../app/i18n/translate';

/** The file types that the browser's file dialog offers. */
const ACCEPTED_FILES = [...IMAGE_TYPES, 'audio/*', 'text/*', ...DOCUMENT_EXTENSIONS.map((name) => `.${name}`)].join(
  ',',
);

interface AttachButtonProps {
  disabled: boolean;
  onFiles: (files: Iterable<File>) => void;
}

export function AttachButton({ disabled, onFiles }: AttachButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ActionButton
        label={t('composer.attach')}
        size="sm"
        borderRadius="full"
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={18} />
      </ActionButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_FILES}
        aria-label={t('composer.chooseFiles')}
        onChange={(event) => {
          if (event.target.files) onFiles([...event.target.files]);
          // Allows the same file to be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}

interface SendButtonProps {
  disabled?: boolean;
  disabledReason?: string;
  label?: string;
  isSending?: boolean;
  onSend: () => void;
}

export function SendButton({
  disabled,
  disabledReason,
  label = t('composer.send'),
  isSending,
  onSend,
}: SendButtonProps) {
  return (
    <IconButton
      colorPalette="jade"
      size="sm"
      borderRadius="full"
      aria-label={label}
      title={disabledReason ?? label}
      loading={isSending}
      disabled={disabled}
      onClick={onSend}
    >
      <ArrowUp size={18} />
    </IconButton>
  );
}

export function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <IconButton
      colorPalette="jade"
      size="sm"
      borderRadius="full"
      aria-label={t('composer.stop')}
      title={t('composer.stop')}
      onClick={onStop}
    >
      <Square size={14} fill="currentColor" />
    </IconButton>
  );
}
