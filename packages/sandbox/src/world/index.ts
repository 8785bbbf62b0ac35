export * from './content.ts';
export * from './items.ts';
export * from './jids.ts';
export * from './types.ts';
export type * from './world.ts';
