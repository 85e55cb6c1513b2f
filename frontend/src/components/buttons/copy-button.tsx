import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ActionButton } from './action-button';
import { t } from '../../app/i18n/translate';
import { copyText } from './copy-text';
import { notify } from '../feedback/notify';

const CONFIRMATION_MS = 2_000;

interface CopyButtonProps {
  /** Called on click, so that a long text is built only when it is copied. */
  text: () => string;
  label: string;
  announce?: boolean;
}

export function CopyButton({ text, label, announce = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    const done = await copyText(text());
    setCopied(done);
    if (!done) notify({ title: t('common.copyRefused'), kind: 'error' });
    else if (announce) notify({ title: t('apiKey.copied') });
  };
  return (
    <ActionButton label={copied ? t('apiKey.copied') : label} onClick={() => void copy()}>
      {copied ? <Check size={14} /> : <Copy size={14} />}
    </ActionButton>
  );
}
