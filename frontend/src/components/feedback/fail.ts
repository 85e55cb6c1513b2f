import { errorText } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import type { PlainTextKey } from '../../texts/catalogue';
import { type Notice, notify } from './notify';

const isFunction = (value: unknown): value is () => void => typeof value === 'function';

/**
 * Makes the handler of a failed request, which shows that it failed. A mutation whose `onMutate` has
 * shown the change at once, and returned how to undo that, hands it on.
 */
export const fail =
  (title: PlainTextKey) =>
  (error: unknown, _sent?: unknown, undo?: unknown): void => {
    if (isFunction(undo)) undo();
    showFailure(title, error);
  };

/** Shows a notice with this title and the cause. */
export const showFailure = (title: PlainTextKey, error: unknown): void => notify(failureNotice(title, error));

export const failureNotice = (title: PlainTextKey, error: unknown): Notice => ({
  title: t(title),
  description: errorText(error),
  kind: 'error',
});
