import { Input, type InputProps, Text } from '@chakra-ui/react';
import { LIMITS } from '@tanya/contract';
import { type Ref, useState } from 'react';
import { TextButton } from '../../../components/buttons/text-button';
import { FormField } from '../../../components/forms/form-field';

interface CodeFieldProps extends Omit<InputProps, 'children'> {
  ref?: Ref<HTMLInputElement>;
  error?: string;
  /** Also accepts a recovery code, typed on a keyboard with letters. */
  withRecovery?: boolean;
}

/** Field for the code of an authenticator app, or for a recovery code. */
export function CodeField({ error, withRecovery = false, ...input }: CodeFieldProps) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <div>
      <FormField
        label={isRecovery ? 'Recovery code' : 'Authentication code'}
        error={error}
        hint={
          isRecovery ? 'One of the codes that you saved. Each works once.' : 'The six digits in your authenticator app.'
        }
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
          {isRecovery ? 'You have your device? ' : 'You don’t have your device? '}
          <TextButton onClick={() => setRecovery(!isRecovery)}>
            {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
          </TextButton>
        </Text>
      )}
    </div>
  );
}
