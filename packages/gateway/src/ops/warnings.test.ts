import { expect, it } from 'vitest';
import { warnOf } from '#kernel';
import { createLog } from './log.ts';
import { logFailureWarnings } from './warnings.ts';

it('a failure where no log is known is a line of the log, with its error, until it is stopped', () => {
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
