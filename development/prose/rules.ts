export interface Rule {
  readonly name: string;
  readonly find: (sentence: string) => string | null;
  /** The tests prove that the rule finds the first and accepts the second. */
  readonly examples: readonly [broken: string, plain: string];
}

export const wordsMax = 24;

const before = String.raw`(?:^|[.:;,(]\s*|\b(?:of|for|to|with|from|by|as|than|and|or|in|on|at|is|are|but)\s)`;
const beginnings = [
  'is|was|are|were|has|have|had|does|did|may|can|cannot|will|would|must|needs?|comes?|goes|came|stays?|belongs?',
  'they|it|he|she|we|one|this|that|these|those|a|an|the|its|their|each|every|others?|somebody|nobody|everybody|people',
].join('|');
/** After these verbs, a clause with "what" is an indirect question. */
const asking = '(?:say|show|know|tell|ask|see|explain|decide|state|learn|describe)s?|said|out|about';
const afterVerb = `(?<!\\b(?:${asking})) what (?:is|was|are|were|has|have|had)`;
const subjects =
  'is|was|has|had|may|can|cannot|must|wants?|needs?|comes?|asks?|sits?|sees?|gets?|holds?|knows?|signs?';

/** Ends a clause, so that each clause may have a negation of its own. */
const clauseEnd = /[,;:()–]|\b(?:and|or|nor|but|because|since|so|if|when|while|although|until|than)\b/i;
const negation = /\b(?:no|not|none|nobody|nothing|never|nowhere|without|neither|cannot|unless)\b|n[’']t\b/gi;

function twoNegations(sentence: string): string | null {
  for (const clause of sentence.split(clauseEnd)) {
    const found = clause.match(negation) ?? [];
    if (found.length > 1) return found.join(' … ');
  }
  return null;
}

function tooLong(sentence: string): string | null {
  const count = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return count > wordsMax ? `${count} words` : null;
}

/** Finds a pattern. A question is free to begin with "what" and "who". */
const matching =
  (pattern: RegExp, inQuestions = true) =>
  (sentence: string) =>
    inQuestions || !sentence.endsWith('?') ? (pattern.exec(sentence)?.[0].trim() ?? null) : null;

export const rules: readonly Rule[] = [
  {
    name: 'name the thing instead of "whoever" or "that which"',
    find: matching(
      /\b(?:who(?:m|se)?ever|what(?:so)?ever|whichever|that which|of (?:which|whom)|(?:for|to) whom)\b/i,
    ),
    examples: ['Whoever asks gets an error.', 'The caller gets an error whenever it asks.'],
  },
  {
    name: 'name the thing instead of "what is …"',
    find: matching(new RegExp(`(?:${before}what (?:${beginnings})|${afterVerb})\\b`, 'i'), false),
    examples: ['Removes what is stored.', 'Removes the stored answer.'],
  },
  {
    name: 'name the person instead of "who has …"',
    find: matching(new RegExp(`${before.replace(',', '')}who (?:${subjects})\\b`, 'i'), false),
    examples: ['Who has signed in sees the page.', 'People who have signed in see the page.'],
  },
  {
    name: 'one negation in a clause',
    find: twoNegations,
    examples: ['Nobody sees it who is not an administrator.', 'Nobody sees it, because it is not stored.'],
  },
  {
    name: 'modern words',
    find: matching(
      /\b(?:(?:there|where)(?:of|in|upon|with)|hitherto|henceforth|whilst|amongst|lest|albeit|of its own accord|by so much|be it|as far as (?:it|they|he|she)|(?:is|are) to be \w+ed|there to be|such as have)\b/i,
    ),
    examples: ['The rows are to be removed.', 'Remove the rows.'],
  },
  {
    name: 'no metaphor',
    find: matching(
      /\b(?:hears? (?:of|about)|heard of|(?:is|are|was|were) (?:un)?heard|told (?:of|about)|tells? of|says? the last word|g[ai]ves? way|(?:keeps?|falls?|fell|fallen|stays?) silent)\b/i,
    ),
    examples: ['The listener hears of changes.', 'The listener receives changes.'],
  },
  {
    name: 'the term of docs/glossary.md',
    find: matching(
      /\b(?:pupils?|API tokens?|score (?:logs?|records?|templates?)|login names?|turnarounds?|(?:external|internal|both|roster) doors?)\b/i,
    ),
    examples: ['A pupil has a token.', 'A student has a token.'],
  },
  {
    name: `at most ${wordsMax} words`,
    find: tooLong,
    examples: [`${'word '.repeat(25)}.`, `${'word '.repeat(24)}.`],
  },
];
