import { call, useResource } from '../../../api/index.ts';
import { replayTexts } from '../../../texts/deliveries.ts';
import { Button } from '../../../ui/index.ts';

const POLL_MS = 1_000;

/** Progress of a replay, shown until it is dismissed. */
export function ReplayProgress({
  webhookId,
  replayId,
  onHide,
}: {
  webhookId: string;
  replayId: string;
  onHide: () => void;
}) {
  const { data } = useResource(
    () => call('getReplay', { params: { id: webhookId, replay_id: replayId } }),
    [webhookId, replayId],
    { everyMs: POLL_MS },
  );
  if (!data) return null;
  const { total, delivered, waiting, dead } = data;
  const text = replayTexts.progress(delivered, total);
  return (
    <div class="replay" role="status">
      <progress max={total} value={delivered + dead} aria-label={text} />
      <p>
        {text}. {dead > 0 && replayTexts.dying(dead)} {waiting === 0 && replayTexts.done}
      </p>
      <Button small onClick={onHide}>
        {replayTexts.hide}
      </Button>
    </div>
  );
}
