import { createHash } from 'node:crypto';
import { type ESTree, parseSync, Visitor } from 'vite';

export interface Mutant {
  /** Depends on the function and the code but not on the line, so it stays the same when lines move. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** Enclosing declarations, outermost first: `ScoringBoard.view`. */
  readonly enclosing: string;
  readonly original: string;
  readonly replacement: string;
  /** Distinguishes equal mutants of one function. */
  readonly occurrence: number;
  readonly before: string;
  readonly after: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Change extends Span {
  readonly enclosing: string;
  readonly replacement: string;
  /** True when the change removes a statement, or the block of an `if`. */
  readonly removes: boolean;
}

type PlacedMutant = Mutant & Change;

const swaps: ReadonlyMap<string, string> = new Map([
  ['&&', '||'],
  ['||', '&&'],
  ['===', '!=='],
  ['!==', '==='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['+', '-'],
  ['-', '+'],
]);
const swappedMethods: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Mutants drop calls of these methods, so that all rows come, in any order. */
const droppedMethods = new Set(['filter', 'where', 'orderBy', 'toSorted']);
const swappedOperators: ReadonlyMap<unknown, string> = new Map([
  ['=', '!='],
  ['!=', '='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const question = /^(?:is|has|can|may|covers|matches|includes|some|every|test)(?:[A-Z]|$)/;
const logging = /(?:^|\.)(?:console|log|logger)\.(?:debug|info|log|warn|error)$/;
/** Leaves larger numbers unchanged, because most are times and sizes, where one more makes no difference. */
const numberMax = 1_000;

/** Stands at the start of each instrumented file. Only pages set `tell`, see setup.ts. */
const prelude =
  'function isActiveMutant(id) { const mutants = (globalThis.mutants ??= { active: "", reached: new Set() }); ' +
  'if (!mutants.reached.has(id)) { mutants.reached.add(id); mutants.tell?.(id); } return mutants.active.includes(id); } ';

/** Returns the mutants of a file's functions. Code at module level has none. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  return placeMutants(file, source).map(({ start, end, removes, ...mutant }) => mutant);
}

/** Returns the source with all mutants, each behind a check for its id. */
export function instrument(file: string, source: string): string {
  const render = (from: number, to: number, mutants: readonly PlacedMutant[]): string => {
    const [mutant] = mutants;
    if (!mutant) return source.slice(from, to);
    const { id, start, end, removes, replacement } = mutant;
    const inside = mutants.slice(1).filter((other) => other.start < end);
    const original = render(start, end, inside);
    const both = removes
      ? `{ if (!isActiveMutant('${id}')) ${original} }`
      : `(isActiveMutant('${id}') ? (${replacement}) : (${original}))`;
    return source.slice(from, start) + both + render(end, to, mutants.slice(1 + inside.length));
  };
  return prelude + render(0, source.length, placeMutants(file, source));
}

function placeMutants(file: string, source: string): readonly PlacedMutant[] {
  const seen = new Map<string, number>();
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
  return findChanges(file, source).map((change) => {
    const { enclosing, start, end, replacement } = change;
    const code = source.slice(start, end);
    const original = oneLine(code);
    const key = JSON.stringify([file, enclosing, original, oneLine(replacement)]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const id = createHash('sha256').update(`${key} ${occurrence}`).digest('hex').slice(0, 12);
    const line = source.slice(0, start).split('\n').length;
    const isShort = !code.includes('\n');
    const left = isShort ? source.slice(source.lastIndexOf('\n', start - 1) + 1, start) : '';
    const right = isShort ? source.slice(end, source.indexOf('\n', end)) : '';
    const before = oneLine(left + code + right);
    const after = oneLine(left + (change.removes && left.trim() !== '' ? '{}' : replacement) + right);
    return { ...change, id, file, line, original, occurrence, before, after };
  });
}

function findChanges(file: string, source: string): readonly Change[] {
  const changes: Change[] = [];
  const names: string[] = [];
  const kept: Span[] = [];
  let functions = 0;
  const textOf = ({ start, end }: Span) => source.slice(start, end);
  const add = ({ start, end }: Span, replacement: string, removes = false) => {
    const enclosing = names.filter((name) => name !== '').join('.');
    if (functions > 0) changes.push({ start, end, replacement, removes, enclosing });
  };
  const swapOperator = (node: ESTree.BinaryExpression | ESTree.LogicalExpression, swapped: string) => {
    const between = source.slice(node.left.end, node.right.start).replace(node.operator, swapped);
    add(node, source.slice(node.start, node.left.end) + between + source.slice(node.right.start, node.end));
  };
  const negate = (test: ESTree.Expression) => {
    const isSwapped = test.type === 'BinaryExpression' && /^[!=]==$/.test(test.operator);
    if (!isSwapped && !isNegation(test)) add(test, `!(${textOf(test)})`);
  };
  const negateAnswer = (answer: ESTree.Node | null) => {
    if (answer?.type === 'CallExpression' && question.test(nameOfCallee(answer))) negate(answer);
  };
  const enter = (name: string, isFunction: boolean) => {
    names.push(name);
    if (isFunction) functions++;
  };
  const leave = (isFunction: boolean) => {
    names.pop();
    if (isFunction) functions--;
  };
  const visitor = new Visitor({
    ClassDeclaration: ({ id }) => enter(id?.name ?? '', false),
    'ClassDeclaration:exit': () => leave(false),
    FunctionDeclaration: ({ id }) => enter(id?.name ?? '', true),
    'FunctionDeclaration:exit': () => leave(true),
    FunctionExpression: () => enter('', true),
    'FunctionExpression:exit': () => leave(true),
    ArrowFunctionExpression(node) {
      enter('', true);
      if (node.expression) negateAnswer(node.body);
    },
    'ArrowFunctionExpression:exit': () => leave(true),
    MethodDefinition: ({ key }) => enter(textOf(key), false),
    'MethodDefinition:exit': () => leave(false),
    // Fields are set for each object, so they count as code of a function; static fields do not.
    PropertyDefinition: (node) => enter(textOf(node.key), !node.static),
    'PropertyDefinition:exit': (node) => leave(!node.static),
    Property(node) {
      enter(isFunction(node.value) ? textOf(node.key) : '', false);
      if (!node.computed) kept.push(node.key);
    },
    'Property:exit': () => leave(false),
    VariableDeclarator: ({ id, init }) => enter(init && isFunction(init) ? textOf(id) : '', false),
    'VariableDeclarator:exit': () => leave(false),

    TSLiteralType: (node) => kept.push(node),
    NewExpression(node) {
      const name = textOf(node.callee);
      if (name.endsWith('Error') && name !== 'AppError') kept.push(node);
    },
    JSXExpressionContainer({ expression }) {
      // Skips literals in the braces of JSX, because they only change looks.
      if (expression.type === 'Literal') kept.push(expression);
    },
    ChainExpression({ expression }) {
      // Does not put parts of an optional chain in parentheses, because these would change where the chain ends.
      let link: ESTree.Node = expression;
      while (link.type === 'CallExpression' || link.type === 'MemberExpression') {
        links.add(link);
        link = link.type === 'CallExpression' ? link.callee : link.object;
      }
    },

    IfStatement({ test, consequent }) {
      negate(test);
      const [only = null, second] = consequent.type === 'BlockStatement' ? consequent.body : [consequent];
      if (only && (second || !isRemovable(only))) add(consequent, '', true);
    },
    WhileStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    ReturnStatement: ({ argument }) => negateAnswer(argument),
    UnaryExpression(node) {
      if (isNegation(node)) add(node, textOf(node.argument));
    },
    LogicalExpression(node) {
      const swapped = swaps.get(node.operator);
      if (swapped) swapOperator(node, swapped);
      else add(node, textOf(node.left));
    },
    BinaryExpression(node) {
      const swapped = swaps.get(node.operator);
      const joinsText = node.operator === '+' && [node.left, node.right].some(isText);
      if (swapped && !joinsText) swapOperator(node, swapped);
    },
    ExpressionStatement(node) {
      if (isRemovable(node)) add(node, '', true);
      const { expression } = node;
      if (expression.type === 'AwaitExpression' && /^await Promise\.all\b/.test(textOf(expression)))
        add(expression, textOf(expression.argument));
    },
    CallExpression(node) {
      const { callee } = node;
      if (logging.test(textOf(callee))) kept.push(node);
      if (links.has(node) || callee.type !== 'MemberExpression' || callee.computed) return;
      const name = nameOfCallee(node);
      const swapped = swappedMethods.get(name);
      if (swapped)
        add(
          node,
          textOf(callee.object) +
            source.slice(callee.object.end, callee.property.start) +
            swapped +
            source.slice(callee.property.end, node.end),
        );
      if (droppedMethods.has(name)) add(node, textOf(callee.object));
      const operator = name === 'where' || name === 'on' ? node.arguments[1] : undefined;
      const other = operator?.type === 'Literal' ? swappedOperators.get(operator.value) : undefined;
      if (operator && other) add(operator, `'${other}'`);
    },
    Literal(node) {
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      if (typeof node.value === 'number' && node.value < numberMax) add(node, String(node.value + 1));
    },
  });
  const links = new Set<ESTree.Node>();
  const isRemovable = (node: ESTree.Node): boolean => {
    if (node.type !== 'ExpressionStatement') return false;
    const awaited = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression;
    const call = awaited.type === 'ChainExpression' ? awaited.expression : awaited;
    return (
      call.type === 'CallExpression' && call.callee.type !== 'Super' && !logging.test(textOf(call.callee))
    );
  };
  visitor.visit(parseSync(file, source, { preserveParens: false }).program);
  return changes
    .filter(({ start, end }) => !kept.some((span) => span.start <= start && end <= span.end))
    .sort((one, other) => one.start - other.start || other.end - one.end);
}

const isNegation = (node: ESTree.Node): boolean => node.type === 'UnaryExpression' && node.operator === '!';

const isText = (node: ESTree.Node): boolean =>
  node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');

const isFunction = ({ type }: ESTree.Node): boolean =>
  type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

function nameOfCallee({ callee }: ESTree.CallExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return '';
  return callee.property.name;
}
