import { i18n } from '../app/i18n/translate';
import { flatten } from './flatten';
import admin from './spec/admin';
import more from './spec/more';
import start from './spec/start';

// Jest runs this before each test of the page: the texts of `spec`, as they are by default.
for (const part of [start, more, admin]) i18n.load('spec', flatten(part));
i18n.activate('spec', ['en']);

// Tests of pure code have no browser, whose languages numbers follow.
globalThis.navigator ??= { languages: [] as readonly string[] } as Navigator;
