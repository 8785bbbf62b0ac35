import { lidJid, type News, type Person, type PhoneNumber, userJid } from '@parley/sandbox/world';
import type { GroupChange, GroupPerson } from '../../events.ts';

export const toGroupPerson = ({ lid, phone }: Person): GroupPerson => ({
  jid: lidJid(lid),
  phone: userJid(phone),
});

/** Undefined for changes that the port does not have. */
export function toGroupChange(
  { change, by }: Extract<News, { kind: 'group' }>,
  listener: PhoneNumber,
): GroupChange | undefined {
  switch (change.type) {
    case 'create': {
      const own = change.group.members.filter(({ person }) => person.phone === listener);
      const participants = own.map(({ person }) => toGroupPerson(person));
      return { type: 'joined', participants, subject: change.group.name };
    }
    case 'add':
      return { type: 'added', participants: change.persons.map(toGroupPerson) };
    case 'join':
      return { type: 'joined', participants: change.persons.map(toGroupPerson) };
    case 'join_requested':
      return { type: 'join_requested', participants: change.persons.map(toGroupPerson) };
    case 'join_request_rejected':
      return { type: 'join_request_withdrawn', participants: change.persons.map(toGroupPerson) };
    case 'leave':
      return { type: 'left', participants: change.persons.map(toGroupPerson) };
    case 'remove': {
      const isOwnWill = change.persons.every(({ phone }) => phone === by?.phone);
      return { type: isOwnWill ? 'left' : 'removed', participants: change.persons.map(toGroupPerson) };
    }
    case 'promote':
      return { type: 'promoted', participants: change.persons.map(toGroupPerson) };
    case 'demote':
      return { type: 'demoted', participants: change.persons.map(toGroupPerson) };
    case 'name':
      return { type: 'subject', subject: change.name };
    case 'description':
      return { type: 'description', description: change.description };
    case 'announce':
      return { type: 'settings', announce: change.announce };
    case 'locked':
      return { type: 'settings', locked: change.locked };
    case 'join_approval':
      return { type: 'settings', joinApproval: change.on };
    case 'everybody_adds':
      return { type: 'settings', membersAdd: change.on };
    case 'disappearing':
      return { type: 'settings', ephemeralSeconds: change.seconds };
    case 'number_changed':
    case 'invite':
      return undefined;
  }
}
