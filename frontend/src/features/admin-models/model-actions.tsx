import { Flex, Menu } from '@chakra-ui/react';
import { type AdminModel, SENDABLE_KINDS } from '@tanya/contract';
import { Check } from 'lucide-react';
import { DeleteButton, EditButton } from '../../components/buttons/row-buttons';
import { t } from '../../app/i18n/translate';
import { LabelledSwitch } from '../../components/forms/labelled-switch';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RowMenu } from '../../components/tables/row-menu';
import { useSetDefaultModel, useSwitchModel } from './model-mutations';

interface ModelActionsProps {
  model: AdminModel;
  onEdit: (model: AdminModel) => void;
  onDelete: (model: AdminModel) => void;
}

const canBeDefault = ({ isEnabled, isInPicker, kind }: AdminModel): boolean =>
  isEnabled && isInPicker && SENDABLE_KINDS.includes(kind);

export function ModelActions({ model, onEdit, onDelete }: ModelActionsProps) {
  const makeDefault = useSetDefaultModel();
  return (
    <Flex gap="1.5" align="center" justify="end">
      <LoadingButton
        size="xs"
        variant={model.isDefault ? 'subtle' : 'outline'}
        colorPalette={model.isDefault ? 'jade' : undefined}
        // The default is a state, not an action that is not available.
        _disabled={model.isDefault ? { opacity: 1, cursor: 'default' } : undefined}
        disabled={model.isDefault || !canBeDefault(model) || makeDefault.isPending}
        onClick={() => makeDefault.mutate(model.modelId)}
      >
        {model.isDefault ? (
          <>
            <Check aria-hidden /> {t('modelsPage.default')}
          </>
        ) : (
          t('modelsPage.setDefault')
        )}
      </LoadingButton>
      <EnabledSwitch model={model} />
      <EditButton label={t('common.editNamed', { name: model.name })} onClick={() => onEdit(model)} />
      <DeleteButton label={t('common.deleteNamed', { name: model.name })} onClick={() => onDelete(model)} />
    </Flex>
  );
}

export function EnabledSwitch({ model }: { model: AdminModel }) {
  const status = useSwitchModel(model.id);
  return (
    <LabelledSwitch
      label={t('modelsPage.enable', { name: model.name })}
      checked={model.isEnabled}
      pending={status.isPending}
      onChange={(checked) => status.mutate(checked)}
    />
  );
}

/** The actions on a card, apart from its switches. */
export function ModelMenu({ model, onEdit, onDelete }: ModelActionsProps) {
  const makeDefault = useSetDefaultModel();
  const isFixed = model.isDefault || !canBeDefault(model) || makeDefault.isPending;
  return (
    <RowMenu label={t('usersPage.actionsFor', { name: model.name })}>
      {/* A disabled item still gets clicks. */}
      <Menu.Item
        value="default"
        disabled={isFixed}
        onClick={isFixed ? undefined : () => makeDefault.mutate(model.modelId)}
      >
        {t('modelsPage.setDefault')}
      </Menu.Item>
      <Menu.Item value="edit" onClick={() => onEdit(model)}>
        {t('common.edit')}
      </Menu.Item>
      <Menu.Item value="delete" color="fg.error" onClick={() => onDelete(model)}>
        {t('common.delete')}
      </Menu.Item>
    </RowMenu>
  );
}
