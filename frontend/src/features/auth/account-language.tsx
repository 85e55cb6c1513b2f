import type { Language } from '@tanya/contract';
import { errorText } from '../../app/api/api-error';
import { t } from '../../app/i18n/translate';
import { chooseLanguage } from '../../app/language/follow-language';
import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { notify } from '../../components/feedback/notify';
import { LanguageSelect } from '../../components/forms/language-select';

export function AccountLanguage({ language }: { language: Language | null }) {
  const save = useSingleFlightMutation({
    mutationFn: (chosen: Language | null) => chooseLanguage(chosen),
    onSuccess: (isShown) =>
      notify({ title: t('account.languageSaved'), description: isShown ? undefined : t('account.languageLater') }),
    onError: (error) => notify({ title: t('account.languageFailed'), description: errorText(error), kind: 'error' }),
  });
  const shown = save.isPending ? save.variables : language;
  return <LanguageSelect value={shown} onChange={(chosen) => save.mutate(chosen)} />;
}
