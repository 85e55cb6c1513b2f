import { t } from '../../app/i18n/translate';
import type { PlainTextKey } from '../../texts/catalogue';
import { notify } from './notify';

/** Makes the handler of a request that succeeded: it calls back and shows a notice with this title. */
export const succeed = (title: PlainTextKey, onDone?: () => void) => () => {
  onDone?.();
  notify({ title: t(title) });
};
