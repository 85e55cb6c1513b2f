import type { ComponentProps } from 'react';
import { Modal } from '../../components/dialogs/modal';
import { closeDialog } from '../../app/state/dialogs';
import { AuthPanels } from './auth-panels';

type PanelsProps = ComponentProps<typeof AuthPanels>;

interface AuthDialogProps {
  mode: PanelsProps['mode'];
  onClose: () => void;
}

export default function AuthDialog({ mode, onClose }: AuthDialogProps) {
  return <AuthPanels mode={mode} frame={DialogFrame} onDone={onClose} />;
}

const DialogFrame: PanelsProps['frame'] = (props) => <Modal {...props} onClose={closeDialog} />;
