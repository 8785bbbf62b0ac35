import type { BubbleMarks, MediaContent } from '../messages/content.ts';
import type {
  Actor,
  Channel,
  ChannelMessage,
  FollowedChannel,
  Group,
  GroupJoin,
  JoinRequest,
  JoinRequestAction,
  ParticipantAction,
  ParticipantResult,
  PhoneNumber,
} from '../types.ts';

/** Settings that a group can be created with. */
export interface GroupSettings {
  description?: string | undefined;
  announce?: boolean;
  locked?: boolean;
  joinApproval?: boolean;
  everybodyAdds?: boolean;
  disappearingSeconds?: number;
}

export interface Groups {
  /** Participants that cannot be added are left out; see `results`. */
  create(
    actor: Actor,
    order: { name: string; participants: string[] } & GroupSettings,
  ): { group: Group; results: ParticipantResult[] };
  /** `not_found`; `forbidden` for those who are not members. */
  get(actor: Actor, jid: string): Group;
  /** All groups of the person. */
  of(phone: PhoneNumber): Group[];
  participants(actor: Actor, jid: string, action: ParticipantAction, who: string[]): ParticipantResult[];
  rename(actor: Actor, jid: string, name: string): void;
  describe(actor: Actor, jid: string, description: string): void;
  setAnnounce(actor: Actor, jid: string, announce: boolean): void;
  setLocked(actor: Actor, jid: string, locked: boolean): void;
  setJoinApproval(actor: Actor, jid: string, on: boolean): void;
  setEverybodyAdds(actor: Actor, jid: string, on: boolean): void;
  setDisappearing(actor: Actor, jid: string, seconds: number): void;
  inviteCode(actor: Actor, jid: string): string;
  resetInviteCode(actor: Actor, jid: string): string;
  /** Preview of an invite. `gone` for a code that was reset, `not_acceptable` for one that never was an invite. */
  byInvite(code: string): Group;
  /** Keeps a request where the group's admins approve those who follow its invite. */
  join(actor: Actor, code: string): GroupJoin;
  /** People who wait for an admin; for admins, oldest first. */
  requests(actor: Actor, jid: string): JoinRequest[];
  /** For admins; `not_member` for people who have not requested to join. */
  answerRequests(actor: Actor, jid: string, action: JoinRequestAction, who: string[]): ParticipantResult[];
  leave(actor: Actor, jid: string): void;
}

export interface Channels {
  create(actor: Actor, order: { name: string; description: string; picture?: Uint8Array }): FollowedChannel;
  /** By JID, invite code or invite link. */
  get(reference: string): Channel;
  /** The channel with this person's role and mute; undefined when they do not follow it. */
  followed(phone: PhoneNumber, jid: string): FollowedChannel | undefined;
  followedBy(phone: PhoneNumber): FollowedChannel[];
  follow(actor: Actor, reference: string): FollowedChannel;
  unfollow(actor: Actor, jid: string): void;
  mute(actor: Actor, jid: string, muted: boolean): void;
  /** Only the owner may send. A repeated id returns the first message. */
  send(actor: Actor, jid: string, order: { id: string; content: ChannelContent }): ChannelMessage;
  /** An empty emoji removes the reaction. */
  react(actor: Actor, jid: string, serverId: number, emoji: string): void;
  /** The latest, oldest first. */
  messages(jid: string, limit: number, beforeServerId?: number): ChannelMessage[];
}

export type ChannelContent = ({ type: 'text'; text: string } | MediaContent) & BubbleMarks;
