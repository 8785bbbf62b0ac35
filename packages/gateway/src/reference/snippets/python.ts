import { type ExampleRequest, indented } from './request.ts';

export function asPython({ method, url, secret, headers, body, answersText }: ExampleRequest): string {
  const entries = [
    ...(secret === undefined ? [] : [`        "Authorization": f"Bearer {os.environ['${secret}']}",`]),
    ...Object.entries(headers)
      // The library says so by itself.
      .filter(([name]) => name !== 'Content-Type')
      .map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  return [
    ...(secret === undefined ? [] : ['import os']),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(entries.length > 0 ? ['    headers={', ...entries, '    },'] : []),
    ...(body === undefined ? [] : [`    json=${indented(literal(body), '    ')},`]),
    '    timeout=30,',
    ')',
    `print(response.status_code, response.${answersText ? 'text' : 'json()'})`,
  ].join('\n');
}

const WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** JSON is Python but for three words; strings are left as they are. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (part) => WORDS[part] ?? part,
  );
}
