import { schoolTables } from '../../src/database/tables.ts';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly Operation?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Output?: readonly string[];
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
  readonly [detail: string]: unknown;
}

const conditionsOf = (node: PlanNode) =>
  ['Index Cond', 'Filter', 'Recheck Cond'].flatMap((name) =>
    node[name] === undefined ? [] : String(node[name]),
  );
const constant = String.raw`\(?(?:\$\d+|'?-?\d+'?)(?:\)?::bigint)?\)?`;

interface Use {
  readonly table: string;
  readonly alias: string;
  readonly conditions: readonly string[];
}

/**
 * Returns the school tables that a plan uses without naming one school. A table is bound if its scan compares
 * `school_id` with a parameter or a number. In a correlated subquery it is unbound, as for Citus.
 * @param parentOf the table of a partition, or the table itself
 */
export function unboundTables(
  plan: PlanNode,
  parentOf: (table: string) => string,
  columnsOf: (table: string) => readonly string[],
): string[] {
  const nodes = nodesOf(plan);
  const isSchools = (node: PlanNode) =>
    node['Relation Name'] !== undefined && schoolTables.includes(parentOf(node['Relation Name']));
  const uses: Use[] = nodes.flatMap((node) => {
    if (!isSchools(node) || node['Node Type'] === 'ModifyTable') return [];
    const table = node['Relation Name'] as string;
    return [{ table, alias: node.Alias ?? table, conditions: conditionsOf(node) }];
  });
  const bound = new Set(uses.filter(isBound).map(({ alias }) => alias));
  const unread = uses.filter(({ alias }) => !bound.has(alias)).map(({ table }) => table);
  const unwritten = nodes.flatMap((node) => {
    if (!isSchools(node) || node.Operation !== 'Insert') return [];
    const table = node['Relation Name'] as string;
    const position = columnsOf(table).indexOf('school_id');
    const rows = outerOf(node);
    const written = rows?.Output?.[position] ?? '';
    // In a subquery, the school is the first column, as in all our statements.
    const inner = rows?.['Node Type'] === 'Subquery Scan' ? (outerOf(rows)?.Output?.[0] ?? '') : '';
    return isOneSchool(written, bound) || isOneSchool(inner, bound) ? [] : [table];
  });
  return [...new Set([...unread, ...unwritten].map(parentOf))];
}

const outerOf = (node: PlanNode) =>
  node.Plans?.find((each) => ['Outer', 'Subquery'].includes(String(each['Parent Relationship'])));

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function isBound({ alias, conditions }: Use): boolean {
  const own = `(?:${alias}\\.)?school_id`;
  const isConstant = new RegExp(`^(?:${own} = ${constant}|${constant} = ${own})$`);
  const binds = (condition: string): boolean => {
    const all = partsOf(condition, ' AND ');
    if (all.length > 1) return all.some(binds);
    // In an OR, for example of two indexes that are read together, each part must name the school.
    const some = partsOf(condition, ' OR ');
    return some.length > 1 ? some.every(binds) : isConstant.test(condition) || inBrackets(condition, binds);
  };
  return conditions.some(binds);
}

const inBrackets = (condition: string, holds: (inner: string) => boolean): boolean => {
  const inner = /^\((.*)\)$/s.exec(condition)?.[1];
  return inner !== undefined && isBalanced(inner) && holds(inner);
};

/** Splits a printed condition `(a = 1) AND (b = 2)`; a condition without the word stays whole. */
function partsOf(condition: string, word: ' AND ' | ' OR '): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < condition.length; at++) {
    if (condition[at] === '(') depth++;
    if (condition[at] === ')') depth--;
    if (depth === 0 && condition.startsWith(word, at)) {
      parts.push(condition.slice(from, at));
      from = at + word.length;
    }
  }
  parts.push(condition.slice(from));
  return parts;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Accepts a list of rows, because all come from one call, which belongs to one school. */
const isOneSchool = (written: string, bound: ReadonlySet<string>): boolean =>
  new RegExp(`^${constant}$`).test(written) ||
  written === '"*VALUES*".column1' ||
  bound.has(/^\(?(\w+)\.school_id\)?$/.exec(written)?.[1] ?? '');
