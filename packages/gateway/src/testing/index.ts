export * from './stores.ts';
export * from './watched-store.ts';
