import { Button, Text } from '@chakra-ui/react';
import { MessageCircleDashed } from 'lucide-react';
import { t } from '../../../app/i18n/translate';

interface TemporaryToggleProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Makes a new chat a temporary one. */
export default function TemporaryToggle({ isOn, onChange }: TemporaryToggleProps) {
  return (
    <Button
      variant="ghost"
      size="sm"
      flexShrink={0}
      gap="1"
      px="2.5"
      borderRadius="full"
      textStyle="xs"
      color={isOn ? 'jade.fg' : 'fg.muted'}
      aria-pressed={isOn}
      aria-label={t('temporary.title')}
      title={isOn ? t('temporary.onHint') : t('temporary.offHint')}
      onClick={() => onChange(!isOn)}
    >
      <MessageCircleDashed size={16} aria-hidden />
      <Text as="span" hideBelow={isOn ? undefined : 'md'}>
        {t('temporary.title')}
      </Text>
    </Button>
  );
}
