import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { PublicModel } from '@tanya/contract';
import { Check, Star } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { ModelMarks } from '../shared/model-marks';

interface ModelOptionProps {
  id: string;
  model: PublicModel;
  isActive: boolean;
  isChosen: boolean;
  isLocked: boolean;
  isFavourite: boolean;
  onChoose: (model: PublicModel) => void;
  onHover: (model: PublicModel) => void;
  onFavourite: (model: PublicModel) => void;
}

/** One model of the menu. Its star is for the pointer; the keyboard has a button below the list. */
export function ModelOption(props: ModelOptionProps) {
  const { id, model, isActive, isChosen, isLocked, isFavourite, onChoose, onHover, onFavourite } = props;
  return (
    <Flex
      id={id}
      role="option"
      aria-selected={isChosen}
      align="center"
      gap="2"
      ps="2"
      minH="10"
      borderRadius="l1"
      cursor="pointer"
      bg={isActive ? 'bg.muted' : undefined}
      onClick={() => onChoose(model)}
      onPointerMove={() => onHover(model)}
    >
      <Box flex="1" minW="0" py="1.5">
        <Text truncate>{model.name}</Text>
        {model.description && (
          <Text truncate textStyle="xs" color="fg.muted" title={model.description}>
            {model.description}
          </Text>
        )}
      </Box>
      <ModelMarks model={model} isLocked={isLocked} />
      {isChosen && (
        <chakra.span color="fg.accent" flexShrink={0}>
          <Check size={16} aria-hidden />
        </chakra.span>
      )}
      <Flex
        aria-hidden
        align="center"
        justify="center"
        alignSelf="stretch"
        width="10"
        flexShrink={0}
        color={isFavourite ? 'fg.accent' : 'fg.muted'}
        opacity={isFavourite || isActive ? 1 : 0}
        _hover={{ color: 'fg.accent' }}
        css={{ '@media (hover: none)': { opacity: 1 } }}
        title={isFavourite ? t('modelMenu.unfavourite') : t('modelMenu.favourite')}
        onClick={(event) => {
          event.stopPropagation();
          onFavourite(model);
        }}
      >
        <Star size={14} fill={isFavourite ? 'currentColor' : 'none'} />
      </Flex>
    </Flex>
  );
}
