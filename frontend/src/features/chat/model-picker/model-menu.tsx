import { Box, chakra, Flex, Input, Popover, Portal, Text } from '@chakra-ui/react';
import type { PublicModel } from '@tanya/contract';
import { Check, Lock } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { focusableComposer } from '../../../app/browser/composer-field';
import { openDialog } from '../../../app/state/dialogs';
import { groupByProvider } from './model-choice';
import type { ModelChoice } from './use-model-choice';

interface ModelMenuProps {
  choice: ModelChoice;
  /** The picker's button: the menu opens below it and returns the focus to it. */
  anchor: HTMLButtonElement;
  onClose: () => void;
}

/** The open menu of the model picker. */
export default function ModelMenu({ choice, anchor, onClose }: ModelMenuProps) {
  const close = () => {
    anchor.focus();
    onClose();
  };
  return (
    <Popover.Root
      open
      onOpenChange={({ open }) => {
        if (!open) close();
      }}
      positioning={{ placement: 'bottom-start', getAnchorElement: () => anchor }}
      persistentElements={[() => anchor]}
    >
      <Portal>
        <Popover.Positioner>
          <Popover.Content width="22rem" maxW="calc(100vw - 1.5rem)" aria-label="Choose a model">
            <ModelSearch choice={choice} onDone={close} />
          </Popover.Content>
        </Popover.Positioner>
      </Portal>
    </Popover.Root>
  );
}

interface ModelSearchProps {
  choice: ModelChoice;
  onDone: () => void;
}

function ModelSearch({ choice, onDone }: ModelSearchProps) {
  const { offered, model: chosen, mayUsePremium, pick } = choice;
  const [search, setSearch] = useState('');
  const groups = useMemo(() => groupByProvider(offered, search), [offered, search]);
  const flat = groups.flatMap(([, models]) => models);
  const [activeId, setActiveId] = useState(chosen.modelId);
  const active = flat.find((model) => model.modelId === activeId) ?? flat[0];
  const listId = useId();
  const optionId = (model: PublicModel) => `${listId}-${flat.indexOf(model)}`;

  const choose = (model: PublicModel) => {
    onDone();
    if (model.isPremium && !mayUsePremium) return openDialog('upgrade');
    pick(model.modelId);
    focusableComposer()?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const at = active ? flat.indexOf(active) : -1;
    const next = event.key === 'ArrowDown' ? flat[at + 1] : event.key === 'ArrowUp' ? flat[at - 1] : undefined;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') event.preventDefault();
    if (next) {
      setActiveId(next.modelId);
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    }
    if (event.key === 'Enter' && active) {
      // The focus returns to the picker's button, which must not handle the same key press.
      event.preventDefault();
      choose(active);
    }
  };

  return (
    <Flex direction="column" maxH="min(26rem, 60dvh)">
      <Box p="2" borderBottomWidth="1px">
        <Input
          autoFocus
          size="sm"
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={active ? optionId(active) : undefined}
          aria-label="Search models"
          placeholder="Search models"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={press}
        />
      </Box>
      <Box id={listId} role="listbox" aria-label="Models" overflowY="auto" p="1" flex="1">
        {groups.map(([provider, models]) => (
          <Box key={provider} role="group" aria-label={provider} mb="1">
            <Text textStyle="xs" color="fg.muted" fontWeight="medium" px="2" py="1.5" aria-hidden>
              {provider}
            </Text>
            {models.map((model) => (
              <ModelOption
                key={model.modelId}
                id={optionId(model)}
                model={model}
                isActive={model === active}
                isChosen={model.modelId === chosen.modelId}
                isLocked={model.isPremium && !mayUsePremium}
                onChoose={() => choose(model)}
                onHover={() => setActiveId(model.modelId)}
              />
            ))}
          </Box>
        ))}
        {flat.length === 0 && (
          <Text p="4" color="fg.muted" textAlign="center">
            No model matches your search.
          </Text>
        )}
      </Box>
    </Flex>
  );
}

interface ModelOptionProps {
  id: string;
  model: PublicModel;
  isActive: boolean;
  isChosen: boolean;
  isLocked: boolean;
  onChoose: () => void;
  onHover: () => void;
}

function ModelOption({ id, model, isActive, isChosen, isLocked, onChoose, onHover }: ModelOptionProps) {
  return (
    <Flex
      id={id}
      role="option"
      aria-selected={isChosen}
      align="center"
      gap="2"
      px="2"
      py="1.5"
      minH="10"
      borderRadius="l1"
      cursor="pointer"
      bg={isActive ? 'bg.muted' : undefined}
      onClick={onChoose}
      onPointerMove={onHover}
    >
      <Box flex="1" minW="0">
        <Text truncate>{model.name}</Text>
        {model.description && (
          <Text truncate textStyle="xs" color="fg.muted" title={model.description}>
            {model.description}
          </Text>
        )}
      </Box>
      {isLocked && (
        <chakra.span color="fg.muted" role="img" aria-label="Premium only">
          <Lock size={14} />
        </chakra.span>
      )}
      {isChosen && (
        <chakra.span color="fg.accent">
          <Check size={16} aria-hidden />
        </chakra.span>
      )}
    </Flex>
  );
}
