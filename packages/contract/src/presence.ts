/** When a number appears online: while needed, always, or never. */
export const PRESENCE_POLICIES = ['auto', 'available', 'unavailable'] as const;
export type PresencePolicy = (typeof PRESENCE_POLICIES)[number];
