/** Attributes of elements and fields of notices whose value people read. */
const TEXT_NAMES =
  /^(title|label|hint|description|question|action|sentence|message|failure|placeholder|alt|aria-label|aria-description)$/;

/** Names of products, formats and fonts, the same in every language. */
const PROPER_NAMES = /^(OpenRouter|OpenAI|GPT-4o Mini|Markdown|JSON|Inter Variable, .*)$/;

const WORD = /\p{L}{2,}/u;
const KEY_OF_A_TEXT = /^[a-zA-Z]+(\.[\w-]+)+$/;
/** A URL, or an id such as that of a model. */
const ADDRESS = /^(https?:\/\/\S*|mailto:\S*|[\w-]+\/[\w.-]+)$/;
/** A capitalised phrase, or three words in a row. */
const PHRASE = /^\p{Lu}[\p{L}’-]* \p{L}{2,}|\b\p{Ll}{2,} \p{Ll}{2,} \p{Ll}{2,}/u;
const CAPITALISED = /^\p{Lu}\p{Ll}+$/u;

const TRANSPARENT = new Set(['ConditionalExpression', 'LogicalExpression', 'TemplateLiteral', 'TSAsExpression']);

/**
 * ESLint rule: the page has no text of its own. Texts stand in the catalogues of `frontend/src/texts`, so that they
 * exist in every language. It reports text between tags, literals where people read them, and phrases elsewhere.
 */
export const literalText = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { literal: 'Move this text to the catalogues in frontend/src/texts: {{text}}' },
  },
  create(context) {
    const check = (node, text) => {
      if (isLiteralText(node, text)) context.report({ node, messageId: 'literal', data: { text: text.trim() } });
    };
    return {
      JSXText: (node) => check(node, node.value),
      Literal: (node) => typeof node.value === 'string' && check(node, node.value),
      TemplateElement: (node) => check(node.parent, node.value.cooked ?? ''),
    };
  },
};

function isLiteralText(node, text) {
  if (!WORD.test(text) || PROPER_NAMES.test(text.trim())) return false;
  if (node.type === 'JSXText') return true;
  const [child, parent] = place(node);
  switch (parent.type) {
    case 'JSXExpressionContainer':
      return parent.parent.type === 'JSXAttribute' ? isTextAttribute(parent.parent, text) : !KEY_OF_A_TEXT.test(text);
    case 'JSXAttribute':
      return isTextAttribute(parent, text);
    case 'Property':
      if (parent.value !== child) return false;
      return isReadable(parent.key.name ?? parent.key.value, text) || PHRASE.test(text);
    case 'ReturnStatement':
    case 'ArrowFunctionExpression':
    case 'VariableDeclarator':
      return CAPITALISED.test(text) || PHRASE.test(text);
    case 'BinaryExpression':
    case 'ImportDeclaration':
    case 'TSLiteralType':
      return false;
    case 'NewExpression':
      // The message of an exception is for developers.
      return !/Error|Exception/.test(parent.callee.name ?? '') && PHRASE.test(text);
    default:
      return PHRASE.test(text);
  }
}

/** The expression that the literal is an alternative or a part of, and its parent. */
function place(node) {
  let [child, parent] = [node, node.parent];
  while (TRANSPARENT.has(parent.type) && parent.test !== child) [child, parent] = [parent, parent.parent];
  return [child, parent];
}

const isTextAttribute = (attribute, text) => isReadable(String(attribute.name.name), text);

const isReadable = (name, text) => TEXT_NAMES.test(String(name)) && !KEY_OF_A_TEXT.test(text) && !ADDRESS.test(text);
