import { Check, Copy, Download } from 'lucide-react';
import { type ComponentProps, type JSX, useRef, useState } from 'react';
import type { ExtraProps } from 'react-markdown';
import { ActionButton } from '../../components/buttons/action-button';
import { t } from '../../app/i18n/translate';
import { notify } from '../../components/feedback/notify';

const loadExport = () => import('./table-export');

/** A table with buttons that copy it for a spreadsheet, and save it as CSV. */
export function TableBlock({ node: _, ...props }: ComponentProps<'table'> & ExtraProps): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!table.current) return;
    const isDone = await (await loadExport()).copyTable(table.current);
    setCopied(isDone);
    if (!isDone) notify({ title: t('common.copyRefused'), kind: 'error' });
  };
  return (
    <div className="table-block" onPointerLeave={() => setCopied(false)}>
      <div className="table-frame" dir="auto" role="group" aria-label={t('message.table')} tabIndex={0}>
        <table ref={table} {...props} />
      </div>
      <div className="table-tools" onPointerEnter={() => void loadExport()} onFocus={() => void loadExport()}>
        <ActionButton
          label={isCopied ? t('apiKey.copied') : t('message.copyTable')}
          variant="outline"
          onClick={() => void copy()}
          onBlur={() => setCopied(false)}
        >
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
        </ActionButton>
        <ActionButton
          label={t('message.saveTable')}
          variant="outline"
          onClick={() => void loadExport().then(({ downloadCsv }) => table.current && downloadCsv(table.current))}
        >
          <Download size={14} />
        </ActionButton>
      </div>
    </div>
  );
}
