export * from './channels.ts';
export * from './contacts.ts';
export * from './groups.ts';
export * from './messages.ts';
export * from './operator.ts';
export * from './public.ts';
export * from './sessions.ts';
export * from './webhooks.ts';
