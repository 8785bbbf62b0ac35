// Made from the records beside it by `npm run gen`. Do not edit.

/** Kinds of messages as features of a plan. */
export const SEND_FEATURES = {
  text: { plan: 'free', label: 'text' },
  media: { plan: 'pro', label: 'media' },
  location: { plan: 'pro', label: 'locations' },
  contact: { plan: 'pro', label: 'contacts' },
  reaction: { plan: 'pro', label: 'reactions' },
  revoke: { plan: 'pro', label: 'deletions' },
  sticker: { plan: 'pro', label: 'stickers' },
  edit: { plan: 'pro', label: 'edits' },
  poll: { plan: 'max', label: 'polls' },
  disappearing: { plan: 'max', label: 'disappearing messages' },
  text_status: { plan: 'free', label: 'text status' },
  media_status: { plan: 'pro', label: 'pictures and videos as status' },
  group_invite: { plan: 'max', label: 'invitations to groups' },
  interactive: { plan: 'pro', label: 'buttons and lists' },
} as const;
