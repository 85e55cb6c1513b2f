import type { MathNode } from 'mathjs';
// The package in one file: its modules, a thousand, take a second of processor time to load.
import mathjs from 'mathjs/lib/browser/math.js';

export interface CalculationTask {
  expression: string;
}

export type CalculationResult = { value: string } | { problem: string };

const PRECISION = 64;
/** Digits of a result that is not a whole number; rounding errors are beyond them. */
const SHOWN_DIGITS = 20;
const MAX_VALUE_LENGTH = 2_000;

const math = mathjs.create({ number: 'BigNumber', precision: PRECISION });

/** The kinds of nodes that compute a value. Assignments, definitions, properties, indexes and ranges are refused. */
const NODES = new Set([
  'ArrayNode',
  'ConditionalNode',
  'ConstantNode',
  'FunctionNode',
  'OperatorNode',
  'ParenthesisNode',
  'RelationalNode',
  'SymbolNode',
]);

const FUNCTIONS = new Set(
  (
    'abs ceil fix floor round sign sqrt cbrt nthRoot square cube pow exp expm1 log log2 log10 log1p mod gcd lcm ' +
    'factorial combinations permutations sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot ' +
    'min max sum prod mean median mode std variance mad quantileSeq norm dot cross det inv transpose ' +
    'bitAnd bitOr bitXor bitNot leftShift rightArithShift re im arg conj'
  ).split(' '),
);

/** Operators as people and models write them. */
const OPERATORS: Record<string, string> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' };

/** Refuses everything but arithmetic, before anything is computed. @returns a problem, or null */
function problemIn(root: MathNode): string | null {
  let problem: string | null = null;
  root.traverse((node) => {
    problem ??= problemOfNode(node);
  });
  return problem;
}

function problemOfNode(node: MathNode): string | null {
  if (!NODES.has(node.type)) return 'Only one arithmetic expression can be computed, without assignments or ranges.';
  if (math.isConstantNode(node) && typeof node.value === 'string') return 'Texts cannot be computed.';
  if (!math.isFunctionNode(node)) return null;
  if (math.isSymbolNode(node.fn) && FUNCTIONS.has(node.fn.name)) return null;
  return `The function "${node.fn.name.slice(0, 40)}" is not available.`;
}

/** Text of a computed value; null for a function and for an empty result. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'string') return null;
  if (math.isBigNumber(value) && value.isInteger() && value.precision() <= PRECISION) {
    return math.format(value, { notation: 'auto', precision: PRECISION, upperExp: PRECISION });
  }
  return math.format(value, { precision: SHOWN_DIGITS, lowerExp: -9, upperExp: SHOWN_DIGITS });
}

/**
 * Computes an arithmetic expression. Nothing is executed: mathjs interprets a syntax tree of allowed nodes and functions.
 * Time and memory are unbounded: call it in a sandbox only.
 */
export function calculate(expression: string): CalculationResult {
  try {
    const root = math.parse(expression.replace(/[×·÷−–]/g, (sign) => OPERATORS[sign] ?? sign));
    const problem = problemIn(root);
    if (problem !== null) return { problem };
    const text = textOf(root.evaluate());
    if (text === null) return { problem: 'The expression has no value.' };
    return { value: text.slice(0, MAX_VALUE_LENGTH) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    return { problem: `The expression cannot be computed: ${reason.slice(0, 300)}` };
  }
}
