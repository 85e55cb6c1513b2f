import { defineConfig, mergeConfigs } from '@chakra-ui/react';
import {
  accordionSlotRecipe,
  badgeRecipe,
  checkboxSlotRecipe,
  checkmarkRecipe,
  codeRecipe,
  dialogSlotRecipe,
  drawerSlotRecipe,
  fieldSlotRecipe,
  fieldsetSlotRecipe,
  kbdRecipe,
  linkRecipe,
  menuSlotRecipe,
  nativeSelectSlotRecipe,
  popoverSlotRecipe,
  progressSlotRecipe,
  switchSlotRecipe,
  tableSlotRecipe,
  tabsSlotRecipe,
  toastSlotRecipe,
} from '@chakra-ui/react/theme';
import { fieldStyle } from './theme-recipes';

const recipes = { badge: badgeRecipe, checkmark: checkmarkRecipe, code: codeRecipe, kbd: kbdRecipe, link: linkRecipe };

const slotRecipes = {
  accordion: accordionSlotRecipe,
  checkbox: checkboxSlotRecipe,
  dialog: dialogSlotRecipe,
  drawer: drawerSlotRecipe,
  field: fieldSlotRecipe,
  fieldset: fieldsetSlotRecipe,
  menu: menuSlotRecipe,
  nativeSelect: nativeSelectSlotRecipe,
  popover: popoverSlotRecipe,
  progress: progressSlotRecipe,
  switch: switchSlotRecipe,
  table: tableSlotRecipe,
  tabs: tabsSlotRecipe,
  toast: toastSlotRecipe,
};

/** Overlays open fast and close at once, so that motion never delays the next action. */
const quickMotion = {
  _open: { animationDuration: 'fast', animationTimingFunction: 'ease-out' },
  _closed: { animationDuration: '1ms' },
};

const own = defineConfig({
  theme: {
    slotRecipes: {
      dialog: {
        slots: [...slotRecipes.dialog.slots],
        base: {
          backdrop: {
            bg: { _light: 'blackAlpha.500', _dark: 'blackAlpha.700' },
            ...quickMotion,
          },
          content: quickMotion,
          title: { textStyle: 'lg' },
        },
      },
      drawer: {
        slots: [...slotRecipes.drawer.slots],
        base: { backdrop: quickMotion, content: quickMotion },
      },
      fieldset: {
        slots: [...slotRecipes.fieldset.slots],
        variants: { size: { md: { root: { spaceY: '2' } } } },
      },
      toast: {
        slots: [...slotRecipes.toast.slots],
        base: {
          root: {
            py: '3.5',
            pe: '10',
            borderRadius: 'l3',
            borderWidth: '1px',
            transition: 'opacity 160ms ease-out, translate 160ms ease-out',
            // A closed toast stays in the document for a while.
            _closed: { visibility: 'hidden', pointerEvents: 'none', transition: 'none' },
            '&[data-type=success]': { bg: 'bg.panel', color: 'fg' },
            '&[data-type=error]': { bg: 'red.solid', color: 'red.contrast', borderColor: 'transparent' },
          },
          description: { opacity: 1, display: 'block', overflowWrap: 'anywhere' },
          closeTrigger: { color: 'currentcolor', top: '2.5', insetEnd: '2.5' },
          // Centred on the first line of the text.
          actionTrigger: {
            alignSelf: 'start',
            flexShrink: 0,
            my: '-1.5',
            borderColor: 'currentcolor',
          },
        },
      },
      menu: {
        slots: [...slotRecipes.menu.slots],
        base: { content: { borderWidth: '1px' }, item: { minH: '9', px: '2.5', gap: '2.5', borderRadius: 'l1' } },
      },
      switch: {
        slots: [...slotRecipes.switch.slots],
        variants: {
          variant: { solid: { control: { bg: 'border.emphasized', _checked: { bg: 'colorPalette.solid' } } } },
        },
      },
      nativeSelect: {
        slots: [...slotRecipes.nativeSelect.slots],
        variants: { variant: { outline: { field: fieldStyle } } },
      },
    },
  },
});

/** The recipes of dialogs, menus, forms and tables, as a Chakra configuration. */
export const lateConfig = mergeConfigs(defineConfig({ theme: { recipes, slotRecipes } }), own);
