import { Box, Button, Flex, Input, Popover, Portal, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { isForPremium, type PublicModel } from '@tanya/contract';
import { Star } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { settingsQuery } from '../../../app/queries/settings.query';
import { focusableComposer } from '../../../app/browser/composer-field';
import { isComposing } from '../../../app/browser/is-composing';
import { usePageOwner } from '../../../app/session/page-owner';
import { openDialog } from '../../../app/state/dialogs';
import { useOnBack } from '../../../components/hooks/use-on-back';
import { groupModels, type ModelGroup } from './model-groups';
import { ModelOption } from './model-option';
import { readModelPreferences, writeModelPreferences } from './model-preferences';
import type { ModelChoice } from './use-model-choice';

interface ModelMenuProps {
  choice: ModelChoice;
  /** The picker's button: the menu opens below it and returns the focus to it. */
  anchor: HTMLButtonElement;
  onClose: () => void;
}

export default function ModelMenu({ choice, anchor, onClose }: ModelMenuProps) {
  const close = () => {
    anchor.focus();
    onClose();
  };
  useOnBack(close);
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
          <Popover.Content width="22rem" maxW="calc(100vw - 1.5rem)" aria-label={t('modelMenu.choose')}>
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
  const { favourites, toggle } = useFavourites();
  const { data: settings } = useQuery(settingsQuery);
  const [search, setSearch] = useState('');
  const groups = useMemo(() => groupModels(offered, search, favourites), [offered, search, favourites]);
  const flat = groups.flatMap(({ models }) => models);
  const [activeId, setActiveId] = useState(chosen.modelId);
  const active = flat.find((model) => model.modelId === activeId) ?? flat[0];
  const listId = useId();
  const optionId = (model: PublicModel) => `${listId}-${flat.indexOf(model)}`;
  const isLocked = (model: PublicModel) => isForPremium(model) && !mayUsePremium;

  const choose = (model: PublicModel) => {
    onDone();
    if (isLocked(model)) return openDialog('upgrade');
    pick(model.modelId);
    focusableComposer()?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
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
          aria-label={t('modelMenu.search')}
          placeholder={t('modelMenu.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={press}
        />
      </Box>
      {settings?.demo && (
        <Text px="3" py="2" textStyle="xs" color="fg.muted" borderBottomWidth="1px">
          {t('modelMenu.demo')}
        </Text>
      )}
      <Box id={listId} role="listbox" aria-label={t('modelMenu.list')} overflowY="auto" p="1" flex="1">
        {groups.map((group) => (
          <Box key={labelOf(group)} role="group" aria-label={labelOf(group)} mb="1">
            <Text textStyle="xs" color="fg.muted" fontWeight="medium" px="2" py="1.5" aria-hidden>
              {labelOf(group)}
            </Text>
            {group.models.map((model) => (
              <ModelOption
                key={model.modelId}
                id={optionId(model)}
                model={model}
                isActive={model === active}
                isChosen={model.modelId === chosen.modelId}
                isLocked={isLocked(model)}
                isFavourite={favourites.includes(model.modelId)}
                onChoose={choose}
                onHover={({ modelId }) => setActiveId(modelId)}
                onFavourite={toggle}
              />
            ))}
          </Box>
        ))}
        {flat.length === 0 && (
          <Text p="4" color="fg.muted" textAlign="center">
            {t('modelMenu.noMatch')}
          </Text>
        )}
      </Box>
      {active && <FavouriteButton model={active} favourites={favourites} onToggle={toggle} />}
    </Flex>
  );
}

function labelOf({ name, draws }: ModelGroup): string {
  if (name === null) return t('modelMenu.favourites');
  return draws ? t('modelMenu.images', { provider: name }) : name;
}

interface FavouriteButtonProps {
  model: PublicModel;
  favourites: readonly string[];
  onToggle: (model: PublicModel) => void;
}

/** Changes the active model's star by keyboard, because an option of a list cannot hold a button. Shown on focus. */
function FavouriteButton({ model, favourites, onToggle }: FavouriteButtonProps) {
  const isFavourite = favourites.includes(model.modelId);
  return (
    <Box css={{ '&:not(:focus-within)': { srOnly: true } }}>
      <Button size="xs" variant="ghost" width="100%" justifyContent="flex-start" onClick={() => onToggle(model)}>
        <Star size={14} aria-hidden fill={isFavourite ? 'currentColor' : 'none'} />
        <Text as="span" truncate>
          {isFavourite
            ? t('modelMenu.removeFavourite', { name: model.name })
            : t('modelMenu.addFavourite', { name: model.name })}
        </Text>
      </Button>
    </Box>
  );
}

interface Favourites {
  favourites: readonly string[];
  toggle: (model: PublicModel) => void;
}

function useFavourites(): Favourites {
  const owner = usePageOwner();
  const [favourites, setFavourites] = useState(() => readModelPreferences(owner).favourites);
  const toggle = ({ modelId }: PublicModel) => {
    // Another tab may have changed them since.
    const stored = readModelPreferences(owner).favourites;
    const others = stored.filter((id) => id !== modelId);
    const next = favourites.includes(modelId) ? others : [...others, modelId];
    writeModelPreferences(owner, { favourites: next });
    setFavourites(next);
  };
  return { favourites, toggle };
}
