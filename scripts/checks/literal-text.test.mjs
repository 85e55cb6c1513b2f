import { RuleTester } from 'eslint';
import { literalText } from './literal-text.mjs';

const tester = new RuleTester({
  languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
});

const literal = (text) => ({ messageId: 'literal', data: { text } });

tester.run('literal-text', literalText, {
  valid: [
    '<Button title={t("common.close")}>{t("common.close")}</Button>',
    '<Box className="code header of messages" width="18rem">{" "}</Box>',
    '<Input placeholder="https://" aria-label={t("account.email")} />',
    '<Text>{count}/{max}</Text>',
    'const FIELDS = [{ title: "settingsPage.title", label: "OpenRouter" }];',
    'throw new Error("The position is outside of the text");',
    'if (event.key === "Enter" || reason === "io server disconnect") send();',
    '<Input placeholder="openai/gpt-4o-mini" />',
    'const key = `${prefix}.${name}`;',
    'event.dataTransfer.types.includes("Files")',
  ],
  invalid: [
    { code: '<Button>Save</Button>', errors: [literal('Save')] },
    { code: '<Button title="Save" />', errors: [literal('Save')] },
    { code: '<Button aria-label={isOpen ? "Close" : t("common.open")} />', errors: [literal('Close')] },
    { code: '<Text>{isAdmin ? "Administrator" : name}</Text>', errors: [literal('Administrator')] },
    { code: '<Text>{`Account ${name}`}</Text>', errors: [literal('Account')] },
    { code: 'notify({ title: "Profile saved" })', errors: [literal('Profile saved')] },
    { code: 'const LABELS = { none: "No thinking" };', errors: [literal('No thinking')] },
    { code: 'const FAVOURITES = "Favourites";', errors: [literal('Favourites')] },
    {
      code: 'const planOf = (user) => (user.isAdmin ? "Administrator" : user.plan);',
      errors: [literal('Administrator')],
    },
    {
      code: 'const rule = (value) => value !== "" || "Enter your current password";',
      errors: [literal('Enter your current password')],
    },
  ],
});
