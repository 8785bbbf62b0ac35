export * from './receivers.ts';
