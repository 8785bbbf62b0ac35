import { expect, it } from 'vitest';
import { warnOf } from '#kernel';
import { createLog, logFailureWarnings } from './log.ts';

it('logs a failure of code without a log, with its error, until it is stopped', () => {
  const lines: string[] = [];
  const following = logFailureWarnings(createLog('info', { write: (line) => void lines.push(line) }));
  warnOf('could not drop a file')(new Error('the disk is gone'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      msg: 'could not drop a file',
      err: { message: 'the disk is gone', stack: expect.stringContaining('warnings.test.ts') },
    },
  ]);
  following.stop();
  warnOf('could not drop a file')(new Error('the disk is gone'));
  expect(lines).toHaveLength(1);
});
