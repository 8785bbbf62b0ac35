import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { formatSignature, SIGNATURE_TOLERANCE_SECONDS, signedText } from '@parley/contract';
import { describe, expect, test } from 'vitest';
import { VERIFY_IN_JAVASCRIPT, VERIFY_IN_PYTHON } from './signature.ts';

const BODY = '{"kind":"message","text":"Grüße 👋"}';
const now = Math.floor(Date.now() / 1000);

function signed(secrets: readonly string[], at = now): string {
  const hex = secrets.map((secret) =>
    createHmac('sha256', secret).update(signedText(at, BODY)).digest('hex'),
  );
  return formatSignature(at, hex);
}

const CASES: [string, { header: string; genuine: boolean }][] = [
  ['a genuine event', { header: signed(['s3cret']), genuine: true }],
  ['one signed twice during a rotation', { header: signed(['new', 's3cret']), genuine: true }],
  ['another secret', { header: signed(['guess']), genuine: false }],
  ['an old signature', { header: signed(['s3cret'], now - SIGNATURE_TOLERANCE_SECONDS - 5), genuine: false }],
  ['no signature', { header: `t=${now}`, genuine: false }],
  ['no time', { header: signed(['s3cret']).replace(/^t=\d+,/, ''), genuine: false }],
];

describe.each(CASES)('the printed examples judge %s', (_, { header, genuine }) => {
  test('in JavaScript', async () => {
    const sample = await import(`data:text/javascript,${encodeURIComponent(VERIFY_IN_JAVASCRIPT)}`);
    expect(sample.isGenuine(BODY, header, 's3cret')).toBe(genuine);
    expect(sample.isGenuine(`${BODY} `, header, 's3cret')).toBe(false);
  });

  test.skipIf(spawnSync('python3', ['-V']).status !== 0)('in Python', () => {
    const script = `${VERIFY_IN_PYTHON}\nimport sys\nprint(is_genuine(sys.argv[1].encode(), sys.argv[2], "s3cret"))`;
    const python = spawnSync('python3', ['-c', script, BODY, header], { encoding: 'utf8' });
    expect(python.stdout.trim()).toBe(genuine ? 'True' : 'False');
  });
});
