import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sandboxTexts } from '../../texts/sandbox.ts';
import { CheckField, formatPhone, Loaded, SelectField, Skeleton } from '../../ui/index.ts';
import { CallScreen } from './call-screen.tsx';
import { ChatScreen } from './chat/chat-screen.tsx';
import { ChatListScreen } from './chat-list-screen.tsx';
import { chatOf } from './chats.ts';
import { DevicesScreen } from './devices-screen.tsx';
import { type Handset, type Screen, useHandset, usePhoneState } from './handset.ts';
import type { PhoneState, PhoneSummary } from './network.ts';

export function Phone({
  label,
  number,
  phones,
  onPick,
}: {
  label: string;
  number: string;
  phones: readonly PhoneSummary[];
  onPick: (phone: string) => void;
}) {
  const reads = useSignal(true);
  const state = usePhoneState(number);
  const name = phones.find(({ phone }) => phone === number)?.name ?? number;
  return (
    <section class="phone" aria-label={sandboxTexts.phoneOf(name)}>
      <div class="phone-side">
        <SelectField
          label={label}
          value={number}
          choices={phones.map((each) => ({
            value: each.phone,
            label: `${each.name} · ${formatPhone(each.phone)}`,
          }))}
          onChange={onPick}
        />
        <CheckField
          label={sandboxTexts.reads}
          checked={reads.value}
          onChange={(checked) => (reads.value = checked)}
        />
      </div>
      <div class="phone-body">
        <div class="phone-screen">
          <Loaded resource={state} skeleton={<Skeleton lines={6} />}>
            {(loaded) => <Screens state={loaded} look={state.reload} phones={phones} reads={reads.value} />}
          </Loaded>
        </div>
      </div>
    </section>
  );
}

function Screens({
  state,
  look,
  phones,
  reads,
}: {
  state: PhoneState;
  look: () => Promise<void>;
  phones: readonly PhoneSummary[];
  reads: boolean;
}) {
  const screen = useSignal<Screen>({ at: 'chats' });
  const handset = useHandset(state, look, phones);
  const go = (next: Screen): void => {
    screen.value = next;
  };
  return (
    <div class="screen" ref={useFocusOnChange(screen.value)} tabIndex={-1}>
      <CurrentScreen handset={handset} screen={screen.value} reads={reads} go={go} />
    </div>
  );
}

function CurrentScreen({
  handset,
  screen,
  reads,
  go,
}: {
  handset: Handset;
  screen: Screen;
  reads: boolean;
  go: (screen: Screen) => void;
}) {
  const ringing = handset.detail.calls.find(({ state }) => state === 'ringing');
  if (ringing) return <CallScreen handset={handset} call={ringing} />;
  if (screen.at === 'devices') return <DevicesScreen handset={handset} go={go} />;
  if (screen.at === 'chat') {
    const chat = openChat(handset, screen.jid);
    return <ChatScreen key={screen.jid} handset={handset} chat={chat} reads={reads} go={go} />;
  }
  return <ChatListScreen handset={handset} go={go} />;
}

/** Moves the focus into the new screen, for keyboards. */
function useFocusOnChange(screen: Screen): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(screen);
  useEffect(() => {
    if (before.current !== screen) element.current?.focus({ preventScroll: true });
    before.current = screen;
  }, [screen]);
  return element;
}

/** Also opens a chat with an unknown number. */
function openChat({ chats, detail, names }: Handset, jid: string) {
  return chats.find((chat) => chat.jid === jid) ?? chatOf(jid, [], detail, names);
}
