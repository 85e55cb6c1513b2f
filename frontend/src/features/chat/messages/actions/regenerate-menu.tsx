import { Box, Menu, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { isForPremium, mayUsePremium, type PublicModel } from '@tanya/contract';
import { t } from '../../../../app/i18n/translate';
import { modelsQuery } from '../../../../app/queries/models.query';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { openDialog } from '../../../../app/state/dialogs';
import { AnchoredMenu } from '../../../../components/buttons/anchored-menu';
import { ModelMarks } from '../../shared/model-marks';
import { pickerModels } from '../../shared/picker-models';

interface RegenerateMenuProps {
  /** The button that opened the menu. */
  anchor: HTMLButtonElement;
  current: string | null;
  onChoose: (model: PublicModel) => void;
  onClose: () => void;
}

/** The models that can write another answer. A premium model without premium opens the upgrade. */
export default function RegenerateMenu({ anchor, current, onChoose, onClose }: RegenerateMenuProps) {
  const { data: models } = useQuery(modelsQuery);
  const { data: user } = useQuery(currentUserQuery);
  const offered = pickerModels(models);
  const isLocked = (model: PublicModel) => isForPremium(model) && !mayUsePremium(user);
  const choose = (id: string) => {
    const model = offered.find(({ modelId }) => modelId === id);
    if (!model) return;
    if (isLocked(model)) openDialog('upgrade');
    else onChoose(model);
  };
  return (
    <AnchoredMenu anchor={anchor} placement="bottom-start" onSelect={choose} onClose={onClose}>
      <Menu.Content maxH="min(20rem, 50dvh)" overflowY="auto" maxW="calc(100vw - 1.5rem)">
        <Menu.ItemGroup>
          <Menu.ItemGroupLabel>{t('message.regenerateWith')}</Menu.ItemGroupLabel>
          {offered.map((model) => (
            <Menu.Item key={model.modelId} value={model.modelId}>
              <Box flex="1" minW="0">
                <Text truncate>{model.name}</Text>
                {model.modelId === current && (
                  <Text textStyle="xs" color="fg.muted">
                    {t('message.sameModel')}
                  </Text>
                )}
              </Box>
              <ModelMarks model={model} isLocked={isLocked(model)} />
            </Menu.Item>
          ))}
        </Menu.ItemGroup>
      </Menu.Content>
    </AnchoredMenu>
  );
}
