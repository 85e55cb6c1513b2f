import { errorText } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import type { PlainTextKey } from '../../texts/catalogue';
import { notify } from './notify';

/** Makes the handler of a failed request: a notice with this title and the cause. */
export const fail = (title: PlainTextKey) => (error: unknown) =>
  notify({ title: t(title), description: errorText(error), kind: 'error' });
