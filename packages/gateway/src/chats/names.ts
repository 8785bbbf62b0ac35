import { isPerson } from '@parley/contract';
import type { OwnedNumber } from '#http';
import { Fault } from '#kernel';
import type { NetworkSession } from '#network';
import type { CallSession, HostAction } from '#sessions';

type Jid = Parameters<NetworkSession['chatOf']>[0];

/** Only the link knows both addresses of a person. */
export const nameChat: HostAction<Jid, Jid> = {
  name: 'chats.name',
  run: ({ session }, jid) => session.chatOf(jid),
};

/** The one address that a chat is told and kept by, whichever address of the person it is asked for. */
export type ChatNames = (number: OwnedNumber, jid: Jid) => Promise<Jid>;

/** While the link cannot be asked, a chat is known by the address that was given. */
export function createChatNames(callSession: CallSession): ChatNames {
  return async (number, jid) => {
    if (!isPerson(jid)) return jid;
    try {
      return await callSession(number, nameChat, jid);
    } catch (error) {
      if (error instanceof Fault) return jid;
      throw error;
    }
  };
}
