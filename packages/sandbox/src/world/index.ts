export * from './content.ts';
export { createWorld, type WorldOptions } from './create.ts';
export { demoPhone, seedDemo } from './demo.ts';
export * from './items.ts';
export * from './jids.ts';
export * from './passkeys/types.ts';
export { optionHash } from './polls.ts';
export * from './types.ts';
export type * from './world.ts';
