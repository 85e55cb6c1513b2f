import { Input, type InputProps, Text } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';
import { type Ref, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { TextButton } from '../../../components/buttons/text-button';
import { FormField } from '../../../components/forms/form-field';

interface CodeFieldProps extends Omit<InputProps, 'children'> {
  ref?: Ref<HTMLInputElement>;
  error?: string;
  /** Also accepts a recovery code, typed on a keyboard with letters. */
  withRecovery?: boolean;
}

export function CodeField({ error, withRecovery = false, ...input }: CodeFieldProps) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <div>
      <FormField
        label={isRecovery ? t('totp.recoveryCode') : t('totp.code')}
        error={error}
        hint={isRecovery ? t('totp.recoveryHint') : t('totp.codeHint')}
      >
        <Input
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          fontFamily="mono"
          maxLength={LIMITS.totpCode.max}
          {...input}
        />
      </FormField>
      {withRecovery && (
        <Text mt="2" color="fg.muted">
          {isRecovery ? t('totp.haveDevice') : t('totp.noDevice')}{' '}
          <TextButton onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? t('totp.useApp') : t('totp.useRecovery')}
          </TextButton>
        </Text>
      )}
    </div>
  );
}
