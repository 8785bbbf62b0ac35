import type { Clock } from '#kernel';
import type { Group } from './group-commit.ts';
import type { CommittedBatch } from './types.ts';

type Commit = (groups: readonly Group[]) => Promise<readonly (readonly unknown[])[]>;

/** Tells how long each commit took. */
export function timedCommit(
  commit: Commit,
  clock: Pick<Clock, 'monotonic'>,
  onCommit: ((batch: CommittedBatch) => void) | undefined,
): Commit {
  if (!onCommit) return commit;
  return async (groups) => {
    const startedAt = clock.monotonic();
    const tell = (ok: boolean): void => {
      const items = groups.reduce((sum, group) => sum + group.items.length, 0);
      onCommit({ items, seconds: (clock.monotonic() - startedAt) / 1_000, ok });
    };
    try {
      const outputs = await commit(groups);
      tell(true);
      return outputs;
    } catch (error) {
      tell(false);
      throw error;
    }
  };
}
