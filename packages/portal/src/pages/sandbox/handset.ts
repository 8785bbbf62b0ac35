import { useMemo } from 'preact/hooks';
import { type Resource, useLive, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { type Chat, chatsOf, createNames, type Names } from './chats.ts';
import {
  loadPhone,
  type Message,
  type PhoneDetail,
  type PhoneState,
  type PhoneSummary,
  performAction,
} from './network.ts';

/** State of a sandbox phone and the actions on it. */
export interface Handset {
  readonly number: string;
  readonly detail: PhoneDetail;
  readonly names: Names;
  readonly chats: readonly Chat[];
  readonly messages: readonly Message[];
  /** Performs an action and reloads the state. */
  readonly act: (what: string, body: object) => Promise<void>;
  readonly look: () => Promise<void>;
}

/** Current screen. */
export type Screen = { at: 'chats' } | { at: 'devices' } | { at: 'chat'; jid: string };

/** Polling interval; the sandbox has no push to pages. */
const POLL_MS = 1_000;

export function usePhoneState(number: string): Resource<PhoneState> {
  const state = useResource(() => loadPhone(number), [number], { everyMs: POLL_MS });
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
        await performAction(detail.phone, what, body);
        await look();
      },
    };
  }, [state, phones, look]);
}
