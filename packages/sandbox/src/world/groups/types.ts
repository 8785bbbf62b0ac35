import type { BubbleMarks, MediaContent } from '../messages/content.ts';
import type {
  Actor,
  Channel,
  ChannelMessage,
  FollowedChannel,
  Group,
  ParticipantAction,
  ParticipantResult,
  PhoneNumber,
} from '../types.ts';

export interface Groups {
  /** Participants that cannot be added are left out; see `results`. */
  create(
    actor: Actor,
    order: { name: string; participants: string[] },
  ): { group: Group; results: ParticipantResult[] };
  /** `not_found`; `forbidden` for those who are not in it. */
  get(actor: Actor, jid: string): Group;
  /** Every group the person is in. */
  of(phone: PhoneNumber): Group[];
  participants(actor: Actor, jid: string, action: ParticipantAction, who: string[]): ParticipantResult[];
  rename(actor: Actor, jid: string, name: string): void;
  describe(actor: Actor, jid: string, description: string): void;
  setAnnounce(actor: Actor, jid: string, announce: boolean): void;
  setLocked(actor: Actor, jid: string, locked: boolean): void;
  /** Kept and told. Nobody asks to be let in on this network yet: who has the invite is in. */
  setJoinApproval(actor: Actor, jid: string, on: boolean): void;
  setEverybodyAdds(actor: Actor, jid: string, on: boolean): void;
  setDisappearing(actor: Actor, jid: string, seconds: number): void;
  inviteCode(actor: Actor, jid: string): string;
  resetInviteCode(actor: Actor, jid: string): string;
  /** What an invite shows before joining. `not_found` for a code that is unknown or was reset. */
  byInvite(code: string): Group;
  join(actor: Actor, code: string): Group;
  leave(actor: Actor, jid: string): void;
}

export interface Channels {
  create(actor: Actor, order: { name: string; description: string; picture?: Uint8Array }): FollowedChannel;
  /** By JID, invite code or invite link. */
  get(reference: string): Channel;
  /** The channel as this person knows it; undefined when they do not follow it. */
  followed(phone: PhoneNumber, jid: string): FollowedChannel | undefined;
  followedBy(phone: PhoneNumber): FollowedChannel[];
  follow(actor: Actor, reference: string): FollowedChannel;
  unfollow(actor: Actor, jid: string): void;
  mute(actor: Actor, jid: string, muted: boolean): void;
  /** Only its owner may. A repeated id answers with the first message. */
  send(actor: Actor, jid: string, order: { id: string; content: ChannelContent }): ChannelMessage;
  /** An empty emoji takes the reaction back. */
  react(actor: Actor, jid: string, serverId: number, emoji: string): void;
  /** The latest, oldest first. */
  messages(jid: string, limit: number, beforeServerId?: number): ChannelMessage[];
}

export type ChannelContent = ({ type: 'text'; text: string } | MediaContent) & BubbleMarks;
