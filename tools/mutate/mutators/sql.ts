import type { Edit } from './edit.ts';
import { textOf } from './expressions.ts';
import { children, type Node } from './syntax.ts';

/** Recognizes SQL; prose also has a “where”. */
const STATEMENT =
  /\b(?:select\b[\s\S]*\bfrom\b|insert\s+into|update\s[\s\S]*\sset\s|delete\s+from)|(?:\bwhere|^\W*(?:and|or))\s+[\w.(]*\s*(?:[=<>]|is\s+(?:not\s+)?null|in\s*\()/i;
const CONDITION = /\b(?:where|and|on(?!\s+conflict))\s+/gi;
/** End of a condition outside brackets. */
const CONDITION_END =
  /^(?:and|or|where|order\s+by|group\s+by|having|limit|returning|on\s+conflict|for\s+update|union|then|when|join|left|inner|set)\b|^[);,]/i;
const MASK = '\u0001';

/** Patterns and their replacements, as in `replace`. */
const REPLACED: readonly (readonly [mutator: string, from: RegExp, to: string])[] = [
  ['SQL boundary', /(?<=\s)<(?=\s)/g, '<='],
  ['SQL boundary', /(?<=\s)<=(?=\s)/g, '<'],
  ['SQL boundary', /(?<=\s)>(?=\s)/g, '>='],
  ['SQL boundary', /(?<=\s)>=(?=\s)/g, '>'],
  ['SQL operator', /\bis null\b/gi, 'is not null'],
  ['SQL operator', /\bis not null\b/gi, 'is null'],
  ['SQL operator', /\bmin\(/gi, 'max('],
  ['SQL operator', /\bmax\(/gi, 'min('],
  ['SQL order', /\s+desc\b/gi, ''],
  ['SQL lock dropped', /\bfor update(?: of \w+)?(?: skip locked)?/gi, ''],
];

/** Mutations of SQL text. */
export function sqlEdits(node: Node, source: string): Edit[] {
  const text = queryText(node, source);
  if (text === undefined || !STATEMENT.test(text)) return [];
  return [...replaceWords(text), ...dropConditions(text, source, node.start)].map((edit) => ({
    ...edit,
    start: node.start + edit.start,
    end: node.start + edit.end,
  }));
}

/** Source of the text, with expressions masked. */
function queryText(node: Node, source: string): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? textOf(node, source) : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return children(node, 'expressions').reduce(
    (text, { start, end }) => {
      const from = text.lastIndexOf('${', start - node.start);
      const to = text.indexOf('}', end - node.start) + 1;
      return text.slice(0, from) + MASK.repeat(to - from) + text.slice(to);
    },
    textOf(node, source),
  );
}

function replaceWords(text: string): Edit[] {
  return REPLACED.flatMap(([mutator, from, to]) =>
    [...text.matchAll(from)].map((match) => ({
      mutator,
      start: match.index,
      end: match.index + match[0].length,
      text: to,
    })),
  );
}

/** Replaces a condition by a true one, so that the statement keeps its parameters. */
function dropConditions(text: string, source: string, offset: number): Edit[] {
  return [...text.matchAll(CONDITION)].flatMap((match) => {
    const start = match.index + match[0].length;
    const end = endOfCondition(text, start);
    const condition = text.slice(start, end).trimEnd();
    const isRange = /\bbetween\b/i.test(condition) || /\bbetween\s+\S+\s+$/i.test(text.slice(0, match.index));
    if (isRange || condition.replaceAll(MASK, '').trim() === '') return [];
    const written = source.slice(offset + start, offset + start + condition.length);
    const edit = { start, end: start + condition.length, text: `(${written} or 1 = 1)` };
    return [{ mutator: 'SQL condition dropped', ...edit }];
  });
}

function endOfCondition(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const isWordStart = !/\w/.test(text[at - 1] ?? ' ');
    if (depth === 0 && at > start && isWordStart && CONDITION_END.test(text.slice(at, at + 20))) return at;
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
  }
  return text.length - 1;
}
