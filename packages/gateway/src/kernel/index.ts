export * from './clock.ts';
export * from './faults.ts';
export * from './ids.ts';
export * from './random.ts';
export * from './rate.ts';
export * from './retry.ts';
export * from './sealed-box.ts';
export * from './turns.ts';
