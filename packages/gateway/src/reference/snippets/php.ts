import { type ExampleRequest, indented } from './request.ts';

export function asPhp({ method, url, secret, headers, body }: ExampleRequest): string {
  const lines = [
    ...(secret === undefined ? [] : [`        'Authorization: Bearer ' . getenv('${secret}'),`]),
    ...Object.entries(headers).map(([name, value]) => `        ${text(`${name}: ${value}`)},`),
  ];
  return [
    '<?php',
    '',
    `$request = curl_init(${text(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ...(lines.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...lines, '    ],'] : []),
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body), '    ')}),`]),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(
    ([name, item]) => `    ${isList ? '' : `${text(name)} => `}${indented(literal(item), '    ')},`,
  );
  if (entries.length === 0) return isList ? '[]' : 'new stdClass()';
  return `[\n${entries.join('\n')}\n]`;
}

function text(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
