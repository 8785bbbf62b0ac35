import { GroupJid, NewsletterJid, PersonJid, ResourceId, SessionId } from '../primitives.ts';
import { closed } from '../schema.ts';

/** Path parameters that several operations share. */
export const sessionPath = closed({ id: SessionId });
export const groupPath = closed({ id: SessionId, group_id: GroupJid });
export const contactPath = closed({ id: SessionId, jid: PersonJid });
export const newsletterPath = closed({ id: SessionId, nl: NewsletterJid });
export const webhookPath = closed({ id: ResourceId });
export const accountPath = closed({ account_id: ResourceId });
export const devicePath = closed({ slot_id: ResourceId });
