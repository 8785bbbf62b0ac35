import { expect, it, vi } from 'vitest';
import { muteLibsignal } from './quiet.ts';

function fakeConsole() {
  return { info: vi.fn(), warn: vi.fn(), error: vi.fn(), log: vi.fn() };
}

it('drops what libsignal says, keys and all, and nothing else', () => {
  const target = fakeConsole();
  const { info, warn, error, log } = target;
  const unmute = muteLibsignal(target);
  target.info('Closing session:', { privKey: 'secret' });
  target.warn('Session already closed', { privKey: 'secret' });
  target.error('Session error:Error: Bad MAC');
  target.info('Closing the shop');
  target.warn('careful', 1, 2);
  target.log(new Error('mine'));
  expect([info.mock.calls, warn.mock.calls, error.mock.calls]).toEqual([
    [['Closing the shop']],
    [['careful', 1, 2]],
    [],
  ]);
  expect(log).toHaveBeenCalledOnce();
  unmute();
  expect(target.info).toBe(info);
});

it('leaves alone what somebody put in its place', () => {
  const target = fakeConsole();
  const unmute = muteLibsignal(target);
  const later = vi.fn();
  target.info = later;
  unmute();
  expect(target.info).toBe(later);
});
