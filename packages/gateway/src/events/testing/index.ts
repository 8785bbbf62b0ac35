export * from './premises.ts';
export * from './receivers.ts';
