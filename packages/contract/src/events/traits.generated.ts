// Made from the records beside it by `npm run gen`. Do not edit.

/** Kinds of events without their schemas. */
export const EVENT_TRAITS = {
  message: { category: 'messages', chat: 'chat_jid', label: 'Message' },
  receipt: { category: 'status', chat: 'recipient_jid', label: 'Receipt' },
  status: { category: 'status', chat: 'to', label: 'Status' },
  connection: { category: 'connection', chat: null, label: 'Connection' },
  poll_vote: { category: 'events', chat: 'chat_jid', label: 'Poll vote' },
  typing: { category: 'events', chat: 'chat_jid', unrecorded: true, label: 'Typing' },
  presence: { category: 'events', chat: 'contact_jid', label: 'Presence' },
  call: { category: 'events', chat: 'from_jid', label: 'Call' },
  newsletter_message: { category: 'events', chat: 'newsletter_jid', label: 'Channel message' },
  group: { category: 'events', chat: 'chat_jid', extension: 'groups', label: 'Group' },
  chat: { category: 'events', chat: 'chat_jid', extension: 'chats', label: 'Chat' },
  contact: { category: 'events', chat: 'contact_jid', extension: 'contacts', label: 'Contact' },
  contact_linked: { category: 'events', chat: 'lid', extension: 'contacts', label: 'Number known' },
  history: { category: 'events', chat: null, extension: 'history', label: 'History' },
  health: { category: 'connection', chat: null, extension: 'health', label: 'Health' },
  device_linked: { category: 'connection', chat: null, extension: 'health', label: 'Device linked' },
} as const;
