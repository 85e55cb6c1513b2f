import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultConfig } from '@chakra-ui/react';

const SOURCE = new URL('../../frontend/src/', import.meta.url).pathname;

const read = (path) => readFileSync(join(SOURCE, path), 'utf8');

/** The components that a module takes from Chakra, as the keys of their recipes. */
const usedIn = (source) =>
  [...source.matchAll(/import \{([^}]*)\} from '@chakra-ui\/react'/g)]
    .flatMap(([, names]) => names.split(','))
    .map((name) => /^\s*([A-Z]\w*)\s*$/.exec(name)?.[1])
    .filter((name) => name !== undefined)
    .map((name) => name[0].toLowerCase() + name.slice(1));

// Without its recipe a component has no style at all: the icon of an alert is as large as the page.
test('every component of Chakra that the page uses has its recipe in the theme', () => {
  const { recipes, slotRecipes } = defaultConfig.theme;
  const themes = ['theme-recipes', 'late-recipes'].map((name) => read(`app/theme/${name}.ts`)).join('\n');
  const paths = readdirSync(SOURCE, { recursive: true }).filter((path) => /(?<!\.test)\.tsx$/.test(path));
  const used = new Set(paths.map(read).flatMap(usedIn));
  const stock = [...used].filter((key) => key in recipes || key in slotRecipes);
  expect(stock).toContain('progress');
  // A mark has its whole style where it stands.
  const styled = new Set(['mark']);
  expect(stock.filter((key) => !styled.has(key) && !themes.includes(` ${key}: ${key}`))).toEqual([]);
});
