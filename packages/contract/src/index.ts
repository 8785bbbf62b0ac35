export * from './errors.ts';
export * from './jid.ts';
export * from './limits.ts';
export * from './operations/operation.ts';
export * from './plans.ts';
export * from './primitives.ts';
export * from './validate/complaint.ts';
