import { stringify } from 'yaml';

/**
 * Renders the chart's templates as `helm template` does: values, `if`, `range` over a map, and the functions below. Refuses
 * everything else, so that the chart stays testable here.
 */
export function renderTemplate(text: string, root: Readonly<Record<string, unknown>>): string {
  const { rendered, rest } = renderUntilEnd(tokensOf(text), { dot: root, variables: new Map([['$', root]]) });
  if (rest.length > 0) throw new Error(`there is one end too many: ${rest[0]?.code}`);
  return rendered;
}

interface Token {
  readonly text?: string;
  readonly code?: string;
}

interface Scope {
  readonly dot: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
}

type Tokens = readonly Token[];

function tokensOf(text: string): Token[] {
  const parts = text.split(/(\{\{-?.*?-?\}\})/s);
  return parts.map((part, place) => {
    if (place % 2 === 1) return { code: part.replace(/^\{\{-?\s*|\s*-?\}\}$/g, '') };
    const trimmedBefore = parts[place - 1]?.endsWith('-}}') ? part.trimStart() : part;
    return { text: parts[place + 1]?.startsWith('{{-') ? trimmedBefore.trimEnd() : trimmedBefore };
  });
}

/** Parses up to the matching `end`; `rest` begins with it. */
function renderUntilEnd(tokens: Tokens, scope: Scope): { rendered: string; rest: Tokens } {
  let rendered = '';
  let rest = tokens;
  for (let token = rest[0]; token && !isEnd(token); token = rest[0]) {
    rest = rest.slice(1);
    const block = /^(if|range)\s+(.*)$/s.exec(token.code ?? '');
    if (token.text !== undefined) rendered += token.text;
    else if (!block) rendered += evaluate(token.code ?? '', scope) ?? '';
    else {
      const done = renderBlock(block[1] ?? '', block[2] ?? '', rest, scope);
      rendered += done.rendered;
      rest = done.rest;
    }
  }
  return { rendered, rest };
}

function renderBlock(kind: string, head: string, tokens: Tokens, scope: Scope) {
  const scopes = kind === 'if' ? (isTrue(evaluate(head, scope)) ? [scope] : []) : scopesOf(head, scope);
  const passes = scopes.map((each) => renderUntilEnd(tokens, each));
  return { rendered: passes.map(({ rendered }) => rendered).join(''), rest: behindEnd(tokens, head) };
}

function behindEnd(tokens: Tokens, head: string): Tokens {
  let depth = 1;
  const end = tokens.findIndex(({ code = '' }) => {
    if (/^(if|range)\s/.test(code)) depth += 1;
    if (code === 'end') depth -= 1;
    return depth === 0;
  });
  if (end < 0) throw new Error(`${head} has no end`);
  return tokens.slice(end + 1);
}

function scopesOf(head: string, scope: Scope): Scope[] {
  const [, key = '', value = '', of = ''] = /^(\$\w+), (\$\w+) := (.*)$/.exec(head) ?? [];
  const entries = Object.entries((evaluate(of, scope) ?? {}) as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, item]) => ({
    dot: item,
    variables: new Map([...scope.variables, [key, name], [value, item]]),
  }));
}

const isEnd = ({ code }: Token): boolean => code === 'end';

function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

const FUNCTIONS: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
  quote: (value) => JSON.stringify(String(value)),
  default: (standard, value) => (isTrue(value) ? value : standard),
  toYaml: (value) => stringify(value).trimEnd(),
  nindent: (width, text) => `\n${String(text).replaceAll(/^/gm, ' '.repeat(Number(width)))}`,
};

/** Pipeline: the result of each step is the last argument of the next. */
function evaluate(code: string, scope: Scope): unknown {
  return code.split('|').reduce<unknown>((before, step, place) => {
    const [name = '', ...args] = step.trim().split(/\s+/);
    const values = [...args.map((each) => lookUp(each, scope)), ...(place > 0 ? [before] : [])];
    const call = FUNCTIONS[name];
    if (call) return call(...values);
    if (place > 0 || args.length > 0) throw new Error(`unsupported: ${name} in {{ ${code} }}`);
    return lookUp(name, scope);
  }, undefined);
}

function lookUp(word: string, { dot, variables }: Scope): unknown {
  if (/^\d+$/.test(word)) return Number(word);
  const [, start = '', path = ''] = /^(\$\w*|(?=\.))((?:\.\w+)*)$/.exec(word) ?? [];
  if (start === '' && path === '') throw new Error(`unsupported: ${word}`);
  const from = start === '' ? dot : variables.get(start);
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], from);
}
