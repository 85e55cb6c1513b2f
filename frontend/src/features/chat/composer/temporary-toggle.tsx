import { MessageCircleDashed } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { PillToggle } from '../../../components/buttons/pill-toggle';

interface TemporaryToggleProps {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** Makes a new chat a temporary one. */
export default function TemporaryToggle({ isOn, onChange }: TemporaryToggleProps) {
  return (
    <PillToggle
      icon={MessageCircleDashed}
      title={t('temporary.title')}
      hint={isOn ? t('temporary.onHint') : t('temporary.offHint')}
      isOn={isOn}
      text={{ hideBelow: isOn ? undefined : 'md' }}
      onChange={onChange}
    />
  );
}
