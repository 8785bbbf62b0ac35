import { once } from 'node:events';
import { expect, it } from 'vitest';
import { warnOf } from '#kernel';
import { createLog } from './log.ts';
import { logFailureWarnings } from './warnings.ts';

it('a failure told by the process is a line of the log, until it is stopped', async () => {
  let logged = '';
  const log = createLog('info', {
    write: (line) => {
      logged += line;
    },
  });
  const following = logFailureWarnings(log);
  const first = once(process, 'warning');
  warnOf('could not drop a file')(new Error('the disk is gone'));
  await first;
  expect(JSON.parse(logged)).toMatchObject({
    level: 'warn',
    msg: 'could not drop a file',
    err: { message: 'the disk is gone', stack: expect.stringContaining('warnings.test.ts') },
  });
  logged = '';
  const other = once(process, 'warning');
  process.emitWarning('of somebody else');
  await other;
  expect(logged).toBe('');
  following.stop();
  const second = once(process, 'warning');
  warnOf('could not drop a file')(new Error('the disk is gone'));
  await second;
  expect(logged).toBe('');
});
