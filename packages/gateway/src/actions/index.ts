export type { ActionContext } from './context.ts';
export { type KeptSource, keptSource, lendPicture, type NewPicture, newPicture } from './pictures.ts';
export { refusalOf } from './refusal-of.ts';
export { createActionServer } from './serve-action.ts';
export { createTempFiles, type TempFiles } from './temp-files.ts';
