import { useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { callTexts } from '../../texts/sandbox.ts';
import { ErrorNote, Icon } from '../../ui/index.ts';
import { Avatar } from './avatar.tsx';
import type { Handset } from './handset.ts';
import type { Call } from './network.ts';

/** Screen of a ringing phone; replaces every other. */
export function CallScreen({ handset, call }: { handset: Handset; call: Call }) {
  const { run, busy, problem } = useAction(() => handset.act(`/calls/${call.call_id}/terminate`, {}));
  const name = handset.names.nameOf(call.peer_jid);
  const end = call.direction === 'incoming' ? callTexts.decline : callTexts.hangUp;
  return (
    <div class="ringing">
      <span class="ringing-avatar">
        <Avatar name={name} jid={call.peer_jid} />
      </span>
      <div role="status">
        <h2>{name}</h2>
        <p>{wordsFor(call)}</p>
      </div>
      {problem.value && <ErrorNote problem={problem.value} />}
      <button type="button" class="ringing-end" disabled={busy.value} onClick={() => inBackground(run())}>
        <Icon name="call" size={26} />
        <span>{end}</span>
      </button>
    </div>
  );
}

function wordsFor({ direction, video }: Call): string {
  if (direction === 'incoming') return video ? callTexts.incomingVideo : callTexts.incoming;
  return video ? callTexts.outgoingVideo : callTexts.outgoing;
}
