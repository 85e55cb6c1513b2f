import { Box, IconButton, Input, type InputProps } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { useState, type Ref } from 'react';
import { t } from '../../app/i18n/translate';

export function PasswordInput(props: InputProps & { ref?: Ref<HTMLInputElement> }) {
  const [shown, setShown] = useState(false);
  return (
    <Box position="relative" width="100%">
      <Input pe="11" {...props} type={shown ? 'text' : 'password'} />
      <IconButton
        position="absolute"
        insetEnd="1"
        top="50%"
        transform="translateY(-50%)"
        variant="ghost"
        size="xs"
        aria-label={shown ? t('common.hide') : t('common.show')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff /> : <Eye />}
      </IconButton>
    </Box>
  );
}
