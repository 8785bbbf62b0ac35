export * from './errors.ts';
export * from './limits.ts';
export * from './plans.ts';
