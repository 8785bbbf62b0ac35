import type { ExampleRequest } from './request.ts';

export function asGo({ method, url, secret, headers, body }: ExampleRequest): string {
  const imports = [
    'fmt',
    'io',
    'net/http',
    ...(secret ? ['os'] : []),
    ...(body === undefined ? [] : ['strings']),
  ];
  const set = Object.entries(headers).map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
  );
  return [
    'package main',
    '',
    'import (',
    ...imports.map((each) => `\t"${each}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := strings.NewReader(${text(JSON.stringify(body, null, 2))})`]),
    `\trequest, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${body === undefined ? 'nil' : 'body'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...(secret ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${secret}"))`] : []),
    ...set,
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tfmt.Println(response.Status, string(answer))',
    '}',
  ].join('\n');
}

function text(json: string): string {
  return json.includes('`') ? JSON.stringify(json) : `\`${json}\``;
}
