import { expect, test } from 'vitest';
import { highlight, type Language } from './highlight.ts';
import { html } from './html.ts';

const CODE: Record<Language, string> = {
  json: '{"a": "x\\"<b>", "n": -1.5, "yes": true, "none": null}',
  shell: `# try\ncurl -X POST 'https://x/' \\\n  -d '{\n  "a": "it'\\''s"\n}'`,
  http: 'POST /hooks\nX-Timestamp: 1\n\n{}',
  javascript: 'const a = `b`; // why\nreturn "x";',
  python: 'def f(x):  # why\n    return "x"',
  go: 'func f() { // why\n\treturn "x" }',
  php: '<?php\nfunction f($x) { return "x"; } // why',
  java: 'public static void f() { return; } // why',
  yaml: '- alert: Slow # why\n  for: "5m"',
  text: 'Anything <at> all',
};

test.each(Object.entries(CODE) as [Language, string][])('%s keeps every character', (language, code) => {
  const text = html`${highlight(language, code)}`.toString().replaceAll(/<\/?span[^>]*>/g, '');
  expect(text).toBe(html`${code}`.toString());
});

test('keys, strings and literals of JSON differ', () => {
  expect(html`${highlight('json', '{"a": "b", "c": true}')}`.toString()).toBe(
    '{<span class="tok-key">&quot;a&quot;</span>: <span class="tok-string">&quot;b&quot;</span>, ' +
      '<span class="tok-key">&quot;c&quot;</span>: <span class="tok-word">true</span>}',
  );
});
