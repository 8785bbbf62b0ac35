export * from './browser.ts';
export * from './owners.ts';
