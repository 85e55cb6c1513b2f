import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { storedChoice } from '../../app/language/choice';
import { chooseLanguage } from '../../app/language/follow-language';
import { Modal } from '../../components/dialogs/modal';
import { fail } from '../../components/feedback/fail';
import { notify } from '../../components/feedback/notify';
import { LanguageSelect } from '../../components/forms/language-select';

/** The language of a guest, stored in this browser. Members choose theirs in their account. */
export default function LanguageDialog({ onClose }: { onClose: () => void }) {
  const [language, setLanguage] = useState(storedChoice);
  return (
    <Modal title={t('account.language')} description={t('account.languageHint')} onClose={onClose}>
      <LanguageSelect
        value={language}
        onChange={(chosen) => {
          setLanguage(chosen);
          chooseLanguage(chosen).then(
            (isShown) =>
              isShown || notify({ title: t('account.languageSaved'), description: t('account.languageLater') }),
            fail('account.languageFailed'),
          );
        }}
      />
    </Modal>
  );
}
