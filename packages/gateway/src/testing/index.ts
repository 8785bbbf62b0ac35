export * from './every-row.ts';
export * from './gateway.ts';
export * from './locks.ts';
export * from './stores.ts';
export * from './tenant.ts';
export * from './watched-store.ts';
