import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleRequests, LANGUAGES } from './languages.ts';
import type { ExampleRequest } from './request.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../../../..');
const requests = [...exampleRequests('https://gateway.example.com')];
const inLanguage = (wanted: string) => {
  const { write } = LANGUAGES.find(({ name }) => name === wanted) ?? {};
  return requests.flatMap(([address, request]) => {
    const code = write?.(request);
    return code === undefined ? [] : [{ address, request, code }];
  });
};

const SECRETS = { PARLEY_API_KEY: 'pk_1_secret', PARLEY_OPERATOR_TOKEN: 'operator-secret' };
/** The request that every language has to send. */
const meant = ({ method, url, headers, secret, body }: ExampleRequest) => ({
  method,
  url,
  headers: {
    ...headers,
    ...(secret !== undefined && { Authorization: `Bearer ${SECRETS[secret as keyof typeof SECRETS]}` }),
  },
  ...(body !== undefined && { body }),
});

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

describe('an example sends the same request in every language', () => {
  it('with fetch', async () => {
    const snippets = inLanguage('fetch');
    expect(snippets.length).toBe(requests.length);
    for (const { address, request, code } of snippets) {
      const sent: Sent[] = [];
      const answer = { status: 200, json: async () => ({}), text: async () => '' };
      const fakeFetch = async (url: string, { method = 'GET', headers = {}, body = '' } = {}) => {
        sent.push({ method, url, headers, ...(body !== '' && { body: JSON.parse(body) }) });
        return answer;
      };
      const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
      await new AsyncFunction('fetch', 'process', 'console', code)(fakeFetch, { env: SECRETS }, { log() {} });
      expect(sent, address).toEqual([meant(request)]);
    }
  });

  it('in Python', () => {
    const snippets = inLanguage('Python');
    expect(snippets.length).toBe(requests.length);
    const program = `
import json, sys, types
sent = []
class Answer:
    status_code = 200
    text = ""
    def json(self): return {}
def method(name):
    def send(url, headers={}, json=None, timeout=None):
        sent.append({"method": name, "url": url, "headers": headers, "json": json, "timeout": timeout})
        return Answer()
    return send
fake = types.ModuleType("requests")
for name in ("get", "post", "put", "patch", "delete"): setattr(fake, name, method(name.upper()))
sys.modules["requests"] = fake
out = sys.stdout
sys.stdout = open("/dev/null", "w")
for code in json.load(sys.stdin): exec(compile(code, "example", "exec"), {})
json.dump(sent, out)
`;
    const input = JSON.stringify(snippets.map(({ code }) => code));
    const env = { PATH: process.env.PATH, ...SECRETS };
    const sent: (Sent & { json: unknown })[] = JSON.parse(
      execFileSync('python3', ['-c', program], { input, env, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 }),
    );
    for (const [place, { address, request }] of snippets.entries()) {
      const { headers, body, ...rest } = meant(request) as Sent;
      const { 'Content-Type': _saidByTheLibrary, ...own } = headers;
      const wanted = { ...rest, headers: own, json: body ?? null, timeout: 30 };
      expect(sent[place], address).toEqual(wanted);
    }
  });

  it('with the SDK, by its types', () => {
    const folder = mkdtempSync(path.join(ROOT, 'node_modules/.snippets-'));
    try {
      const snippets = inLanguage('TypeScript');
      expect(snippets.length).toBeGreaterThan(100);
      for (const [place, { code }] of snippets.entries())
        writeFileSync(
          path.join(folder, `${place}.ts`),
          `${code.replace("'parley-sdk", "'parley-sdk")}\nexport {};\n`,
        );
      const options = {
        compilerOptions: {
          ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2024', skipLibCheck: true },
          ...{ allowImportingTsExtensions: true, lib: ['es2024', 'dom'], types: ['node'] },
        },
        include: ['*.ts'],
      };
      writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(options));
      writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
      const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      expect(stdout).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** Run where the language is installed, which CI machines do not have. */
  it.each([
    [
      'PHP',
      'php',
      ['-r', 'foreach (json_decode(stream_get_contents(STDIN)) as $code) token_get_all($code, TOKEN_PARSE);'],
    ],
    ['Go', 'gofmt', ['-e']],
  ] as const)('%s has valid syntax', (language, program, args) => {
    const snippets = inLanguage(language);
    expect(snippets.length).toBe(requests.length);
    if (spawnSync(program, ['--help']).error) return;
    if (language === 'PHP') {
      const input = JSON.stringify(snippets.map(({ code }) => code));
      const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
      expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
      return;
    }
    for (const { address, code } of snippets) {
      const { status, stderr, stdout } = spawnSync(program, args, { input: code, encoding: 'utf8' });
      expect({ status, stderr }, address).toEqual({ status: 0, stderr: '' });
      expect(stdout.trimEnd(), address).toBe(code);
    }
  });
});
