import { useSignal } from '@preact/signals';
import { useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { standingTexts } from '../../texts/sandbox.ts';
import { Button, ErrorNote, formatMoment, SelectField, toast } from '../../ui/index.ts';
import type { Handset } from './handset.ts';

const HOUR_S = 3_600;
const SAME_MESSAGE_TO_TOO_MANY = 104;

type ActionName = keyof typeof standingTexts.actions;
/** Requests of the actions; their texts state the same numbers. */
const ACTIONS: Readonly<Record<ActionName, { readonly path: string; readonly body: object }>> = {
  restrict: { path: '/restrict', body: { type: 'RESTRICT_ALL_COMPANIONS', for_s: HOUR_S } },
  lift: { path: '/restrict', body: { for_s: 0 } },
  warn: { path: '/cap', body: { quota: 10, used: 9 } },
  cap: { path: '/cap', body: { quota: 10, used: 10 } },
  free: { path: '/cap', body: { quota: 1_000, used: 0 } },
  ban: { path: '/ban', body: { code: SAME_MESSAGE_TO_TOO_MANY, expire_s: HOUR_S } },
  unban: { path: '/ban', body: { expire_s: 0 } },
  lock: { path: '/lock', body: {} },
  unlock: { path: '/lock', body: { locked: false } },
  removeDevice: { path: '/remove-device', body: {} },
  limit: { path: '/rate-overlimit', body: { kind: 'users', for_s: 600 } },
};
const NETWORK = Object.entries(standingTexts.actions).map(([value, label]) => ({ value, label }));
const DIRECT = '@s.whatsapp.net';

/** Simulates restrictions of the network on a number, and blocking by its owner. */
export function RestrictionsForm({ handset }: { handset: Handset }) {
  const chosen = useSignal<string>('restrict');
  const people = handset.chats.filter(({ jid }) => jid.endsWith(DIRECT));
  const choices = [
    ...NETWORK,
    ...people.map(({ jid, name }) => ({ value: jid, label: standingTexts.block(name) })),
  ];
  const acting = useAction(async () => {
    const { value } = chosen;
    const { path, body } = isAction(value)
      ? ACTIONS[value]
      : { path: '/block', body: { phone: value.slice(0, -DIRECT.length) } };
    await handset.act(path, body);
    toast(standingTexts.done);
  });
  const problem = acting.problem.value;
  return (
    <section class="device" aria-label={standingTexts.title}>
      <h3>{standingTexts.title}</h3>
      <Treatment handset={handset} />
      <SelectField
        label={standingTexts.action}
        value={chosen.value}
        choices={choices}
        onChange={(value) => (chosen.value = value)}
      />
      {problem && <ErrorNote problem={problem} />}
      <div class="row">
        <Button small icon="bolt" busy={acting.busy.value} onClick={() => inBackground(acting.run())}>
          {standingTexts.act}
        </Button>
      </div>
    </section>
  );
}

function Treatment({ handset: { detail } }: { handset: Handset }) {
  const { restriction, new_chats, banned_until_unix, locked } = detail;
  const isOrdinary = !restriction && !new_chats && banned_until_unix === 0 && !locked;
  return (
    <div class="quiet small">
      {isOrdinary && <p>{standingTexts.ordinary}</p>}
      {restriction && (
        <p>{standingTexts.restricted(restriction.type, formatMoment(restriction.ends_unix))}</p>
      )}
      {new_chats && <p>{standingTexts.quota(new_chats.used, new_chats.quota)}</p>}
      {banned_until_unix > 0 && <p>{standingTexts.banned(formatMoment(banned_until_unix))}</p>}
      {locked && <p>{standingTexts.locked}</p>}
    </div>
  );
}

function isAction(value: string): value is ActionName {
  return value in ACTIONS;
}
