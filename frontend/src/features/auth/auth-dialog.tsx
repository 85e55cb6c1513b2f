import { Text } from '@chakra-ui/react';
import { TEXTS } from '@tanya/contract';
import { openDialog } from '../../app/state/dialogs';
import { Modal } from '../../components/dialogs/modal';
import { TextButton } from '../../components/buttons/text-button';
import { LoginForm } from './login-form';
import { RegisterPanel } from './register-panel';

interface AuthDialogProps {
  mode: 'login' | 'register';
  onClose: () => void;
}

export default function AuthDialog({ mode, onClose }: AuthDialogProps) {
  return mode === 'login' ? (
    <Modal key="login" title={TEXTS.auth.loginTitle} description={TEXTS.auth.loginSubtitle} onClose={onClose}>
      <LoginForm onDone={onClose} />
      <Text mt="4" color="fg.muted" textAlign="center">
        Don’t have an account? <TextButton onClick={() => openDialog('register')}>Register</TextButton>
      </Text>
    </Modal>
  ) : (
    <Modal key="register" title={TEXTS.auth.registerTitle} description={TEXTS.auth.registerSubtitle} onClose={onClose}>
      <RegisterPanel onDone={onClose} />
      <Text mt="4" color="fg.muted" textAlign="center">
        Already have an account? <TextButton onClick={() => openDialog('login')}>Login</TextButton>
      </Text>
    </Modal>
  );
}
