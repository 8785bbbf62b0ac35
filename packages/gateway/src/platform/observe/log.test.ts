import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, level: 'info' | 'silent' = 'info') {
  const lines: string[] = [];
  write(createLog(level, { write: (line: string) => void lines.push(line) }));
  return lines;
}

describe('the log', () => {
  it('is one JSON object per line, with a readable time and level', () => {
    const [line = ''] = logged((log) => log.info({ sessions: 3 }, 'ready'));
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sessions: 3,
      msg: 'ready',
    });
  });

  it('hides secrets, also in nested objects', () => {
    const secret = 'hush-hush';
    const lines = logged((log) => {
      log.info({ authorization: secret, password: secret, qr: secret, text: secret, token: secret }, 'flat');
      log.info(
        { headers: { authorization: secret, cookie: secret }, message: { caption: secret } },
        'nested',
      );
      log.info({ request: { body: { anything: secret } }, pairing: { attempt: { code: secret } } }, 'deep');
    });
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain(secret);
    expect(lines.join('')).toContain('[hidden]');
  });

  it('shows error codes, which are not secret', () => {
    const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const [line = ''] = logged((log) => log.error({ err: error, code: 'store_unreachable' }, 'failed'));
    expect(JSON.parse(line)).toMatchObject({ code: 'store_unreachable', err: { code: 'ECONNREFUSED' } });
  });

  it('writes nothing at level silent', () => {
    expect(logged((log) => log.fatal('the end'), 'silent')).toEqual([]);
  });
});
