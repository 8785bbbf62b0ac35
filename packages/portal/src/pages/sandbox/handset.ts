import { useMemo } from 'preact/hooks';
import { type Resource, useLive, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { type Chat, chatsOf, createNames, type Names } from './chats.ts';
import {
  does,
  lookAt,
  type Message,
  type PhoneDetail,
  type PhoneState,
  type PhoneSummary,
} from './network.ts';

/** A phone in somebody's hand: what it shows, and what a finger can do. */
export interface Handset {
  readonly number: string;
  readonly detail: PhoneDetail;
  readonly names: Names;
  readonly chats: readonly Chat[];
  readonly messages: readonly Message[];
  /** Does something, and shows what came of it. */
  readonly act: (what: string, body: object) => Promise<void>;
  readonly look: () => Promise<void>;
}

/** What it shows at the moment. */
export type Screen = { at: 'chats' } | { at: 'devices' } | { at: 'chat'; jid: string };

/** The network pushes nothing to a page; this is often enough to feel alive. */
const LOOK_EVERY_MS = 1_000;

export function usePhoneState(number: string): Resource<PhoneState> {
  const state = useResource(() => lookAt(number), [number], { everyMs: LOOK_EVERY_MS });
  useLive(() => inBackground(state.reload()));
  return state;
}

export function useHandset(
  state: PhoneState,
  look: () => Promise<void>,
  phones: readonly PhoneSummary[],
): Handset {
  const { detail, messages } = state;
  return useMemo(() => {
    const names = createNames(detail, phones);
    return {
      number: detail.phone,
      detail,
      names,
      chats: chatsOf(detail, messages, names),
      messages,
      look,
      async act(what, body) {
        await does(detail.phone, what, body);
        await look();
      },
    };
  }, [state, phones, look]);
}
