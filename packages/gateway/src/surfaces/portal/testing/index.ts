export * from './browser.ts';
export * from './mail.ts';
export * from './owners.ts';
