import {
  buttonRecipe,
  headingRecipe,
  inputRecipe,
  skeletonRecipe,
  spinnerRecipe,
  textareaRecipe,
} from '@chakra-ui/react/theme';

/**
 * The Chakra recipes of the first screen. Each is listed by name, so that the bundler drops the others. Recipes that only
 * lazy code uses are in late-recipes.ts.
 */
export const recipes = {
  button: buttonRecipe,
  heading: headingRecipe,
  input: inputRecipe,
  skeleton: skeletonRecipe,
  spinner: spinnerRecipe,
  textarea: textareaRecipe,
};

export const fieldStyle = {
  borderColor: 'border.emphasized',
  bg: 'bg.panel',
  '--focus-color': 'colors.jade.focusRing',
};
